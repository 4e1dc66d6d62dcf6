package io.cellmesh.connect.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PasswordAuthentication;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

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
    assertThat(gone).hasMessageContaining("does not answer");
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
