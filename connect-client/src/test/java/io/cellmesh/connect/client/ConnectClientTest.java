package io.cellmesh.connect.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PasswordAuthentication;
import java.net.URI;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Answers as workers of Kafka 4.3 give them, told in turn. */
class ConnectClientTest {
  private final Queue<Answer> answers = new ArrayDeque<>();
  private final List<String> asked = new ArrayList<>();
  private final List<String> authorizations = new ArrayList<>();
  private HttpServer server;
  private ConnectClient client;

  private record Answer(int status, String body) {}

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
          Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization"))
              .ifPresent(authorizations::add);
          var answer = answers.remove();
          var body = answer.body().getBytes(UTF_8);
          exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    client = new ConnectClient(URI.create("http://127.0.0.1:" + server.getAddress().getPort()));
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void a_refusal_bears_its_status_and_connects_own_words() {
    answers.add(new Answer(400, "{\"error_code\":400,\"message\":\"topics: must be set\"}"));
    var refused = catchThrowableOfType(ConnectClientException.class, () -> client.resume("sink"));
    assertThat(refused.status()).hasValue(400);
    assertThat(refused)
        .hasMessageStartingWith("resume sink")
        .hasMessageEndingWith("topics: must be set");
  }

  @Test
  void a_refusal_that_is_no_json_is_told_as_it_is() {
    answers.add(new Answer(502, "<h1>Bad gateway</h1>"));
    var refused = catchThrowableOfType(ConnectClientException.class, () -> client.connectors());
    assertThat(refused).hasMessageEndingWith("answers 502, <h1>Bad gateway</h1>");
  }

  @Test
  void a_worker_that_is_gone_has_no_status() {
    server.stop(0);
    var gone = catchThrowableOfType(ConnectClientException.class, () -> client.connectors());
    assertThat(gone.status()).isEmpty();
    assertThat(gone.somebodyIsThere()).isFalse();
    assertThat(gone).hasMessageContaining("does not answer");
  }

  @Test
  void a_worker_whose_certificate_is_not_trusted_is_not_said_to_be_away(@TempDir Path dir)
      throws Exception {
    var tls = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    tls.setHttpsConfigurator(new HttpsConfigurator(certified(dir.resolve("keys.p12"))));
    tls.start();
    try {
      var url = "https://127.0.0.1:" + tls.getAddress().getPort();
      var distrusting = new ConnectClient(URI.create(url));

      var failed =
          catchThrowableOfType(ConnectClientException.class, () -> distrusting.connectors());

      assertThat(failed.status()).isEmpty();
      assertThat(failed.somebodyIsThere()).isTrue();
      assertThat(failed)
          .hasMessageStartingWith("connectors: no TLS with Connect at %s: ".formatted(url))
          .hasMessageContaining("certification path");
    } finally {
      tls.stop(0);
    }
  }

  /** With a certificate of its own making. */
  private static SSLContext certified(Path file) throws Exception {
    var keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    var command =
        "%s -genkeypair -alias w -keyalg EC -dname CN=w -ext SAN=ip:127.0.0.1 -storetype PKCS12 -storepass changeit -keystore %s"
            .formatted(keytool, file);
    var process = new ProcessBuilder(command.split(" ")).redirectErrorStream(true).start();
    var said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    var secret = "changeit".toCharArray();
    var store = KeyStore.getInstance(file.toFile(), secret);
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, secret);
    var context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }

  @Test
  void a_rebalance_is_waited_out() {
    answers.add(
        new Answer(
            409,
            "{\"error_code\":409,\"message\":\"Cannot complete request momentarily due to stale configuration (typically caused by a concurrent config change or rebalance)\"}"));
    answers.add(new Answer(202, ""));
    client.resume("sink");
    assertThat(asked).containsExactly("PUT /connectors/sink/resume", "PUT /connectors/sink/resume");
  }

  @Test
  void a_rebalance_that_is_called_an_error_of_the_server_is_waited_out_too() {
    answers.add(
        new Answer(
            500,
            "{\"error_code\":500,\"message\":\"Request cannot be completed because a rebalance is expected\"}"));
    answers.add(new Answer(200, "{\"name\":\"sink\"}"));
    assertThat(client.config("sink")).containsEntry("name", "sink");
  }

  @Test
  void a_login_goes_with_every_request() {
    var login = new PasswordAuthentication("ops", "s3cret:ü".toCharArray());
    var signedOn = new ConnectClient(client.worker(), Optional.of(login), Optional.empty());
    answers.add(new Answer(200, "[]"));
    signedOn.connectors();
    assertThat(authorizations).containsExactly("Basic b3BzOnMzY3JldDrDvA==");
  }

  @Test
  void a_name_is_one_segment_of_the_path_whatever_it_has() {
    answers.add(new Answer(204, ""));
    client.delete("a/b c");
    assertThat(asked).containsExactly("DELETE /connectors/a%2Fb%20c");
  }
}
