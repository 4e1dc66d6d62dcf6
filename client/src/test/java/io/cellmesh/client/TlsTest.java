package io.cellmesh.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A worker that wants to know who calls. */
@Timeout(60)
class TlsTest {
  private static final char[] SECRET = "changeit".toCharArray();

  private static SSLContext tls;
  private static Certificate certificate;

  private final AtomicReference<String> authorization = new AtomicReference<>();
  private HttpsServer server;

  @BeforeAll
  static void makeCertificate(@TempDir Path dir) throws Exception {
    tls = context(dir.resolve("keys.p12"));
  }

  @BeforeEach
  void start() throws IOException {
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    server.setHttpsConfigurator(
        new HttpsConfigurator(tls) {
          @Override
          public void configure(HttpsParameters parameters) {
            var wanted = tls.getDefaultSSLParameters();
            wanted.setNeedClientAuth(true);
            parameters.setSSLParameters(wanted);
          }
        });
    server.createContext(
        "/v1/trips/cells/",
        exchange -> {
          authorization.set(exchange.getRequestHeaders().getFirst("Authorization"));
          var json = Samples.json("BASE", 1).getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().set("Cellmesh-Served-By", Samples.SERVER);
          exchange.sendResponseHeaders(200, json.length);
          exchange.getResponseBody().write(json);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void it_sees_a_certificate_and_a_token() throws Exception {
    var settings = settings().withTls(tls).withToken(() -> "s3cret");
    var session = new CellmeshClient(settings).session();
    assertThat(session.get(Samples.key()).cell()).isPresent();
    assertThat(authorization).hasValue("Bearer s3cret");
  }

  @Test
  void a_certificate_that_is_not_trusted_gets_no_token() {
    var settings = settings().withToken(() -> "s3cret").withDeadline(Duration.ofSeconds(4));
    assertThatThrownBy(() -> new CellmeshClient(settings).session().get(Samples.key()))
        .isInstanceOf(CellmeshException.class)
        .hasMessageContaining("certification path");
    assertThat(authorization).hasValue(null);
  }

  @Test
  void who_trusts_the_certificates_of_a_file_trusts_no_others(@TempDir Path dir) throws Exception {
    var own = Files.writeString(dir.resolve("own.pem"), "a comment\n" + pem(certificate));
    var none = Files.writeString(dir.resolve("none.pem"), "nothing");

    // It wants a certificate of its client, which is after it was trusted.
    assertThatThrownBy(() -> get(settings().withTrustIn(own)))
        .hasMessageNotContaining("certification path");
    assertThatThrownBy(() -> settings().withTrustIn(none))
        .hasMessageStartingWith("trusted = \"%s\": ".formatted(none));
    assertThatThrownBy(() -> settings().withTrustIn(dir.resolve("absent")))
        .hasMessage("trusted = \"%s\": can't be read".formatted(dir.resolve("absent")));
  }

  private static void get(ClientSettings settings) throws InterruptedException {
    new CellmeshClient(settings.withDeadline(Duration.ofSeconds(4))).session().get(Samples.key());
  }

  private static String pem(Certificate certificate) throws Exception {
    return "-----BEGIN CERTIFICATE-----\n%s\n-----END CERTIFICATE-----\n"
        .formatted(Base64.getMimeEncoder().encodeToString(certificate.getEncoded()));
  }

  private ClientSettings settings() {
    return ClientSettings.of("trips", "https://127.0.0.1:" + server.getAddress().getPort());
  }

  /** Its own certificate, and trust in that alone. */
  private static SSLContext context(Path file) throws Exception {
    var keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    var command =
        List.of(
            keytool.toString(),
            "-genkeypair",
            "-alias",
            "w",
            "-keyalg",
            "EC",
            "-dname",
            "CN=w",
            "-ext",
            "SAN=ip:127.0.0.1",
            "-storetype",
            "PKCS12",
            "-keystore",
            file.toString(),
            "-storepass",
            new String(SECRET));
    run(command);
    var store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, SECRET);
    }
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, SECRET);
    certificate = store.getCertificate("w");
    var trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("w", store.getCertificate("w"));
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    var context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  private static void run(List<String> command) throws IOException, InterruptedException {
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }
}
