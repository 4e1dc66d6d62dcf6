package io.cellmesh.triggers.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import io.cellmesh.devstack.Certificates;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.HashMap;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WebhookTlsTest {
  @TempDir private static Path dir;
  private static Certificates certificates;

  @BeforeAll
  static void certify() {
    certificates = Certificates.make(dir.resolve("tls"));
  }

  @Test
  void a_receiver_whom_the_trust_store_vouches_for_gets_cells_and_token() throws Exception {
    try (var receiver = Receiver.https(server(), false)) {
      callback(receiver, trust(Map.of("token.file", passwordFile()))).call(Cells.trip());
      assertThat(receiver.last().headers().getFirst("Authorization"))
          .isEqualTo("Bearer " + certificates.trustStorePassword());
      assertThat(receiver.last().headers()).doesNotContainKey("Upgrade");
    }
  }

  @Test
  void a_receiver_whom_nobody_vouches_for_gets_nothing() throws Exception {
    try (var receiver = Receiver.https(server(), false)) {
      assertThatThrownBy(() -> callback(receiver, Map.of()).call(Cells.trip()))
          .isExactlyInstanceOf(IOException.class)
          .hasCauseInstanceOf(SSLHandshakeException.class)
          .hasMessageStartingWith("POST " + receiver.url("/cells") + ": ");
      assertThat(receiver.requests()).isEmpty();
    }
  }

  @Test
  void a_receiver_at_another_address_than_its_certificate_is_for_gets_nothing() throws Exception {
    try (var receiver = Receiver.https(server(), false, InetAddress.getByName("127.0.0.2"))) {
      assertThatThrownBy(() -> callback(receiver, trust(Map.of())).call(Cells.trip()))
          .isExactlyInstanceOf(IOException.class)
          .hasCauseInstanceOf(SSLHandshakeException.class)
          .hasMessageContaining("127.0.0.2");
      assertThat(receiver.requests()).isEmpty();
    } catch (BindException e) {
      abort("this system has one loopback address: " + e.getMessage());
    }
  }

  @Test
  void a_receiver_can_ask_for_a_certificate() throws Exception {
    try (var receiver = Receiver.https(server(), true)) {
      assertThatThrownBy(() -> callback(receiver, trust(Map.of())).call(Cells.trip()))
          .isExactlyInstanceOf(IOException.class);
      assertThat(receiver.requests()).isEmpty();

      var keys = Map.of("keystore", keyStore(), "keystore.password.file", passwordFile());
      callback(receiver, trust(keys)).call(Cells.trip());
      assertThat(receiver.requests()).hasSize(1);
    }
  }

  @Test
  void a_store_that_does_not_open_or_holds_nothing_of_use_is_told_at_start() {
    var url = Map.of("url", "https://hooks.example/");
    for (var stores :
        Map.of(
                keyStore(),
                "pass",
                "missing.p12",
                certificates.trustStorePassword(),
                trustStore(),
                certificates.trustStorePassword())
            .entrySet()) {
      var settings = new HashMap<>(url);
      settings.put("keystore", stores.getKey());
      settings.put("keystore.password", stores.getValue());
      assertThatThrownBy(() -> callback(settings))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(stores.getKey())
          .message()
          .doesNotContain(certificates.trustStorePassword());
    }
  }

  private static WebhookCallback callback(Receiver receiver, Map<String, String> more) {
    var settings = new HashMap<>(more);
    settings.put("url", receiver.url("/cells").toString());
    return callback(settings);
  }

  private static WebhookCallback callback(Map<String, String> settings) {
    return new WebhookCallback(WebhookConfig.parse(settings), "trips", "dc1");
  }

  private static Map<String, String> trust(Map<String, String> more) {
    var settings = new HashMap<>(more);
    settings.put("truststore", trustStore());
    settings.put("truststore.password", certificates.trustStorePassword());
    return settings;
  }

  private static String trustStore() {
    return certificates.trustStore().toString();
  }

  private static String keyStore() {
    return certificates.dir().resolve("keystore.p12").toString();
  }

  private static String passwordFile() {
    return certificates.dir().resolve("truststore.password").toString();
  }

  /** The one certificate serves both sides. */
  private static SSLContext server() throws IOException, GeneralSecurityException {
    var password = certificates.trustStorePassword().toCharArray();
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(KeyStore.getInstance(Path.of(keyStore()).toFile(), password), password);
    var trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusted.init(KeyStore.getInstance(certificates.trustStore().toFile(), password));
    var context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trusted.getTrustManagers(), null);
    return context;
  }
}
