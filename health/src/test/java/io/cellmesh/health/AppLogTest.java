package io.cellmesh.health;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What {@code log.xml} makes of an event. */
class AppLogTest {
  private static final String FORMAT = "CELLMESH_LOG_FORMAT";

  @AfterEach
  void forget() {
    System.clearProperty(FORMAT);
  }

  @Test
  void a_line_of_json_says_when_who_where_and_what() throws Exception {
    System.setProperty(FORMAT, "json");
    var before = Instant.now().minusMillis(1);

    var line =
        onlyLine(log -> log.warn("two\nlines, a \"quote\", \u00e9 and \ud83d\ude97, {} times", 3));

    assertThat(line.get("time").textValue()).hasSize(24).endsWith("Z");
    assertThat(Instant.parse(line.get("time").textValue())).isBetween(before, Instant.now());
    assertThat(line.get("level").textValue()).isEqualTo("WARN");
    assertThat(line.get("logger").textValue()).isEqualTo("io.cellmesh.Some");
    assertThat(line.get("thread").textValue()).isEqualTo(Thread.currentThread().getName());
    assertThat(line.get("message").textValue())
        .isEqualTo("two\nlines, a \"quote\", \u00e9 and \ud83d\ude97, 3 times");
    assertThat(line.get("instance").textValue()).isEqualTo("trips");
    assertThat(line.get("dc").textValue()).isEqualTo("dc1");
  }

  @Test
  void what_the_message_leaves_out_is_nowhere_in_the_line() throws Exception {
    System.setProperty(FORMAT, "json");

    var line = onlyLine(log -> log.warn("a record is damaged", "{\"fare\":12.95}"));

    assertThat(line.toString()).doesNotContain("fare");
    assertThat(line.fieldNames())
        .toIterable()
        .containsExactlyInAnyOrder(
            "time", "level", "application", "instance", "dc", "logger", "thread", "message");
  }

  @Test
  void what_stands_beside_a_message_is_a_field_in_json_and_left_out_in_text() throws Exception {
    Consumer<Logger> event = log -> log.atWarn().addKeyValue("status", 403).log("refused");
    assertThat(printed(event)).endsWith(" - refused\n");
    System.setProperty(FORMAT, "json");

    var line = onlyLine(event);
    assertThat(line.get("message").textValue()).isEqualTo("refused");
    assertThat(line.get("status").intValue()).isEqualTo(403);
  }

  @Test
  void calls_of_a_worker_and_their_refusals_are_logged() {
    for (var name : List.of("cellmesh.worker.access", "cellmesh.worker.audit")) {
      assertThat(printed(log -> log.getLoggerContext().getLogger(name).info("said")))
          .contains(" INFO  ")
          .endsWith(name.substring(name.indexOf(".worker")) + " - said\n");
    }
  }

  @Test
  void a_stack_trace_is_one_field_of_the_same_line() throws Exception {
    System.setProperty(FORMAT, "json");

    var line =
        onlyLine(
            log ->
                log.error(
                    "it died", new IllegalStateException("why", new RuntimeException("because"))));

    assertThat(line.get("message").textValue()).isEqualTo("it died");
    assertThat(line.get("stack_trace").textValue())
        .startsWith("java.lang.IllegalStateException: why\n")
        .contains("Caused by: java.lang.RuntimeException: because")
        .contains("\tat io.cellmesh.health.AppLogTest");
  }

  @Test
  void without_the_variable_a_line_is_text() {
    assertThat(printed(log -> log.warn("said")))
        .matches("\\d{4}-\\d\\d-\\d\\dT[0-9:.]{12}Z WARN  io.cellmesh.Some - said\n");
  }

  @Test
  void a_format_that_is_none_is_refused_by_its_name() {
    assertThatThrownBy(() -> AppLog.checkFormat(Map.of(FORMAT, "JSON")))
        .hasMessage("CELLMESH_LOG_FORMAT: \"JSON\" is neither text nor json");
    assertThatCode(() -> AppLog.checkFormat(Map.of(FORMAT, "json"))).doesNotThrowAnyException();
    assertThatCode(() -> AppLog.checkFormat(Map.of())).doesNotThrowAnyException();
  }

  private static JsonNode onlyLine(Consumer<Logger> event) throws Exception {
    var lines = printed(event).lines().toList();
    assertThat(lines).hasSize(1);
    return new ObjectMapper().readTree(lines.get(0));
  }

  /** What stands on stdout after an event of a logger of ours. */
  private static String printed(Consumer<Logger> event) {
    var printed = new ByteArrayOutputStream();
    var stdout = System.out;
    var context = new LoggerContext();
    context.setMDCAdapter(new LogbackMDCAdapter());
    System.setOut(new PrintStream(printed, true, UTF_8));
    try {
      var configurator = new JoranConfigurator();
      configurator.setContext(context);
      configurator.doConfigure(
          new ByteArrayInputStream(
              "<configuration><include resource='io/cellmesh/health/log.xml'/></configuration>"
                  .getBytes(UTF_8)));
      AppLog.name(context, "index-streams", "trips", "dc1");
      event.accept(context.getLogger("io.cellmesh.Some"));
    } catch (Exception e) {
      throw new AssertionError(e);
    } finally {
      context.stop();
      System.setOut(stdout);
    }
    return printed.toString(UTF_8);
  }
}
