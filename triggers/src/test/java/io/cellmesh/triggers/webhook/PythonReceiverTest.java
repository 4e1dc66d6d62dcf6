package io.cellmesh.triggers.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cellmesh.triggers.TriggeredCell;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The receiver that docs/webhook.md shows, in a process of its own. */
@Timeout(60)
class PythonReceiverTest {
  private static final Path SCRIPT = Path.of("..", "docs", "examples", "webhook_receiver.py");

  @TempDir private Path dir;
  private Process python;
  private BufferedReader output;
  private WebhookCallback callback;

  @BeforeEach
  void start() throws IOException, InterruptedException {
    try {
      python =
          new ProcessBuilder("python3", SCRIPT.toString(), dir.resolve("done.db").toString())
              .redirectError(new File("target/webhook_receiver.log"))
              .start();
    } catch (IOException e) {
      abort("no python3 to run the receiver with: " + e.getMessage());
    }
    output = new BufferedReader(new InputStreamReader(python.getInputStream(), UTF_8));
    var port = output.readLine();
    if (port == null) {
      assertThat(python.waitFor(30, TimeUnit.SECONDS)).isTrue();
      throw new IOException("the receiver ended; see target/webhook_receiver.log");
    }
    var url = "http://localhost:" + port + "/";
    callback = new WebhookCallback(WebhookConfig.parse(Map.of("url", url)), "trips", "dc1");
  }

  @AfterEach
  void stop() throws InterruptedException {
    if (python != null) {
      python.destroy();
      assertThat(python.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void a_receiver_in_another_language_reads_what_was_meant() throws Exception {
    var column = "Größe/1 m \uD83D\uDE00 50%";
    var body = "{\"n\":123456789012345678901234567890.5,\"s\":\"é\"}";
    var got = got(Cells.cell(column, body, 4711, 1));
    assertThat(got.path("body").asText()).isEqualTo(body);
    var event = got.path("event");
    assertThat(event.path("ce-specversion").asText()).isEqualTo("1.0");
    assertThat(event.path("ce-type").asText()).isEqualTo("io.cellmesh.cell.added");
    assertThat(event.path("ce-source").asText()).isEqualTo("/trips/dc1/42");
    assertThat(event.path("ce-id").asText()).isEqualTo(Cells.ROW + "/" + column + "/1");
    assertThat(event.path("ce-subject")).isEqualTo(event.path("ce-id"));
    assertThat(event.path("ce-time").asText()).isEqualTo("2026-01-31T12:00:00.120000Z");
    assertThat(event.path("ce-column").asText()).isEqualTo(column);
    assertThat(event.path("ce-partitionkey").asText()).isEqualTo(Cells.ROW);
    assertThat(event.path("content-type").asText()).isEqualTo("application/json");
  }

  @Test
  void a_receiver_can_tell_a_cell_that_comes_again() throws Exception {
    assertThat(got(Cells.trip()).path("new").asBoolean()).isTrue();
    var again = got(Cells.cell("BASE", Cells.BODY, 4713, 2));
    assertThat(again.path("new").asBoolean()).isFalse();
    assertThat(again.path("event").path("ce-attempt").asText()).isEqualTo("2");
    assertThat(got(Cells.cell("STATUS", Cells.BODY, 4714, 1)).path("new").asBoolean()).isTrue();
  }

  private JsonNode got(TriggeredCell cell) throws Exception {
    callback.call(cell);
    return new ObjectMapper().readTree(output.readLine());
  }
}
