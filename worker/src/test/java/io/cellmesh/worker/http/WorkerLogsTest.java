package io.cellmesh.worker.http;

import static io.cellmesh.worker.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.worker.security.Limits;
import io.cellmesh.worker.security.NewToken;
import io.cellmesh.worker.security.Protection;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a worker logs of its calls. */
class WorkerLogsTest {
  private static final String KEY = "0b5e2a64-6f3c-4f0e-9a53-6f1f3a0f6f01";
  private static final NewToken WRITER = NewToken.draw("writer", List.of("trips:write"));

  @TempDir private Path dir;
  private final LogLines lines = new LogLines();
  private WorkerServer server;
  private Http http;

  @BeforeEach
  void listen() throws IOException {
    start(true);
  }

  private void start(boolean accessLog) throws IOException {
    var file = dir.resolve("tokens.yaml");
    Files.writeString(file, "tokens:\n" + WRITER.entry());
    server =
        WorkerServer.start(
            new InetSocketAddress("127.0.0.1", 0),
            new Protection(Optional.of(file), Optional.empty(), accessLog, Limits.USUAL),
            Map.of("trips", new FakeInstance()),
            new QueuedThreadPool(20),
            System::nanoTime);
    http = new Http(server.port());
  }

  @AfterEach
  void stop() {
    server.close();
    lines.close();
  }

  private String onlyAccess() {
    await().until(() -> !lines.of("access").isEmpty());
    assertThat(lines.of("access")).hasSize(1);
    return lines.of("access").get(0);
  }

  @Test
  void a_call_is_a_line_with_who_what_and_how_it_ended_and_a_digest_for_the_row() {
    http.put(
        "/v1/trips/cells/%s/BASE/1?wait=accepted".formatted(KEY),
        "{\"name\":\"Zoe\"}",
        "Authorization",
        "Bearer " + WRITER.token(),
        "X-Request-Id",
        "a-1");

    assertThat(onlyAccess())
        .matches(
            "127\\.0\\.0\\.1 writer PUT /v1/\\{instance}/cells/\\{row}/\\{column}/\\{ref} trips "
                + "row=[0-9a-f]{12} 202 [0-9]+\\.[0-9] ms [0-9]+ bytes id=a-1");
    assertThat(lines.text())
        .doesNotContain(KEY, "Zoe", "BASE", "accepted", WRITER.token())
        .contains("status=\"202\"", "token=\"writer\"");
    assertThat(lines.of("audit")).isEmpty();
  }

  @Test
  void the_same_row_has_the_same_digest_and_another_has_another() {
    var headers = new String[] {"Authorization", "Bearer " + WRITER.token()};
    http.put("/v1/trips/cells/%s/BASE/1".formatted(KEY), "1", headers);
    http.put("/v1/trips/cells/%s/BASE/2".formatted(KEY), "1", headers);
    http.put("/v1/trips/cells/%s/BASE/2".formatted(KEY.replace('0', '1')), "1", headers);
    await().until(() -> lines.of("access").size() == 3);

    var digests =
        lines.of("access").stream().map(line -> line.replaceAll(".*row=(\\w+).*", "$1")).toList();
    assertThat(digests.get(0)).isEqualTo(digests.get(1)).isNotEqualTo(digests.get(2));
  }

  @Test
  void what_is_refused_is_in_the_audit_log_with_who_and_why_and_no_secret() {
    var unknown = NewToken.draw("x", List.of("trips:read")).token();
    http.get("/v1/trips/cells/" + KEY, "Authorization", "Bearer " + unknown);
    http.get("/v1/trips/cells/" + KEY, "Authorization", "Bearer " + WRITER.token());
    http.get("/v1/trips%0aforged/cells/" + KEY);

    await().until(() -> lines.of("audit").size() == 3);
    assertThat(lines.of("audit").get(0))
        .startsWith(
            "refused 401 GET /v1/{instance}/cells/{row} of - from 127.0.0.1: this token is not known here; instance trips, id ");
    assertThat(lines.of("audit").get(1))
        .startsWith(
            "refused 403 GET /v1/{instance}/cells/{row} of writer from 127.0.0.1: the token writer lacks the right read on instance trips; instance trips, id ");
    assertThat(lines.of("audit").get(2)).contains("trips\\u000aforged").doesNotContain("\n");
    assertThat(lines.text()).doesNotContain(KEY, unknown, WRITER.token());
  }

  @Test
  void what_is_hardly_http_has_a_line_too() throws IOException {
    try (var socket = new Socket("127.0.0.1", server.port())) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write("nonsense\r\n\r\n".getBytes(StandardCharsets.UTF_8));
      socket.getInputStream().readAllBytes();
    }

    assertThat(onlyAccess()).contains(" - - row=- 400 ");
  }

  @Test
  void it_can_be_done_without_and_refusals_are_logged_all_the_same() throws IOException {
    server.close();
    start(false);
    http.get("/v1/trips/cells/" + KEY);

    await().until(() -> !lines.of("audit").isEmpty());
    assertThat(lines.of("access")).isEmpty();
  }
}
