package io.cellmesh.worker.http;

import static io.cellmesh.worker.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.devstack.Certificates;
import io.cellmesh.worker.security.Limits;
import io.cellmesh.worker.security.Protection;
import io.cellmesh.worker.security.TlsFiles;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.security.cert.CertPathValidatorException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker with a certificate. */
class TlsWorkerTest {
  private static Certificates first;
  private static Certificates second;

  @TempDir private Path dir;
  private TlsFiles files;
  private WorkerServer server;

  @BeforeAll
  static void make(@TempDir Path dir) {
    first = Certificates.make(dir.resolve("first"));
    second = Certificates.make(dir.resolve("second"));
  }

  @BeforeEach
  void copy() throws IOException {
    files = new TlsFiles(dir.resolve("cert.pem"), dir.resolve("key.pem"), Optional.empty());
    use(first);
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  private void use(Certificates certificates) throws IOException {
    for (var copy :
        Map.of("server-cert.pem", files.certificate(), "server-key.pem", files.key()).entrySet()) {
      Files.copy(
          certificates.dir().resolve(copy.getKey()),
          copy.getValue(),
          StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private void start(TlsFiles tls) {
    start(tls, Limits.USUAL);
  }

  private void start(TlsFiles tls, Limits limits) {
    server =
        WorkerServer.start(
            new InetSocketAddress("127.0.0.1", 0),
            new Protection(Optional.empty(), Optional.of(tls), false, limits),
            Map.of("trips", new FakeInstance()),
            new QueuedThreadPool(20),
            System::nanoTime);
  }

  /** A new connection, by somebody who trusts one CA, and has a certificate or none. */
  private int status(Certificates trusted, Optional<Certificates> own) throws Exception {
    var client = HttpClient.newBuilder().sslContext(context(trusted, own)).build();
    return new Http("https://localhost:" + server.port(), client).get("/readyz").statusCode();
  }

  @Test
  void it_speaks_https_with_that_certificate_and_nothing_in_the_clear() throws Exception {
    start(files);

    assertThat(status(first, Optional.empty())).isEqualTo(200);
    assertThatThrownBy(() -> status(second, Optional.empty()))
        .hasRootCauseInstanceOf(CertPathValidatorException.class);
    try (var socket = new Socket("127.0.0.1", server.port())) {
      socket.setSoTimeout(10_000);
      socket
          .getOutputStream()
          .write(
              "GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.UTF_8));
      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .doesNotContain("ready");
    }
  }

  @Test
  void a_new_certificate_counts_within_seconds_once_its_key_is_there_too() throws Exception {
    start(files);
    Files.copy(
        second.dir().resolve("server-cert.pem"),
        files.certificate(),
        StandardCopyOption.REPLACE_EXISTING);
    var client = HttpClient.newBuilder().sslContext(context(first, Optional.empty())).build();
    var before = new Http("https://localhost:" + server.port(), client);
    await().until(() -> before.get("/metrics").body().contains("in_force{file=\"certificate\"} 0"));
    assertThat(status(first, Optional.empty())).isEqualTo(200);

    use(second);

    await()
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(status(second, Optional.empty())).isEqualTo(200));
    assertThatThrownBy(() -> status(first, Optional.empty())).isInstanceOf(AssertionError.class);
    // Who is connected stays so.
    assertThat(before.get("/metrics").body()).contains("in_force{file=\"certificate\"} 1");
  }

  @Test
  void who_has_read_his_answer_may_idle_on_for_longer_than_an_answer_may() throws Exception {
    var usual = Limits.USUAL;
    start(files, new Limits(9, usual.idle(), usual.body(), Duration.ofMillis(500)));
    var request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n";
    var sockets = context(first, Optional.empty()).getSocketFactory();
    try (var socket = sockets.createSocket("127.0.0.1", server.port())) {
      socket.setSoTimeout(30_000);
      var out = socket.getOutputStream();
      out.write((request + "\r\n").getBytes(StandardCharsets.UTF_8));
      Thread.sleep(1_500);
      out.write((request + "Connection: close\r\n\r\n").getBytes(StandardCharsets.UTF_8));

      var answers = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(answers.split("HTTP/1.1 200 ", -1)).as("answers").hasSize(3);
    }
  }

  @Test
  void with_a_ca_of_clients_nobody_connects_without_a_certificate_of_that_one() throws Exception {
    var ca = second.dir().resolve("ca.pem");
    start(new TlsFiles(files.certificate(), files.key(), Optional.of(ca)));

    assertThat(status(first, Optional.of(second))).isEqualTo(200);
    assertThatThrownBy(() -> status(first, Optional.empty())).isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> status(first, Optional.of(first))).isInstanceOf(AssertionError.class);
  }

  @Test
  void old_protocols_are_not_spoken() throws Exception {
    start(files);
    var context = context(first, Optional.empty());
    var parameters = context.getSupportedSSLParameters();
    parameters.setProtocols(new String[] {"TLSv1.1"});
    var client = HttpClient.newBuilder().sslContext(context).sslParameters(parameters).build();

    assertThatThrownBy(() -> new Http("https://localhost:" + server.port(), client).get("/readyz"))
        .hasCauseInstanceOf(SSLHandshakeException.class);
  }

  private static SSLContext context(Certificates trusted, Optional<Certificates> own)
      throws Exception {
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store(trusted, "truststore.p12"));
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    if (own.isPresent()) {
      keys.init(store(own.get(), "keystore.p12"), own.get().trustStorePassword().toCharArray());
    } else {
      keys.init(null, null);
    }
    var context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  private static KeyStore store(Certificates of, String name) throws Exception {
    var store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(of.dir().resolve(name))) {
      store.load(in, of.trustStorePassword().toCharArray());
    }
    return store;
  }
}
