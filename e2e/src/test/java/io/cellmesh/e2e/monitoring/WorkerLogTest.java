package io.cellmesh.e2e.monitoring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cellmesh.devstack.CellmeshHome;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Instant;
import org.apache.logging.log4j.ThreadContext;
import org.apache.logging.log4j.core.config.Configurator;
import org.junit.jupiter.api.Test;

/** The log4j2 that is shipped for Connect workers writes what docs/operating.md says. */
class WorkerLogTest {
  @Test
  void an_event_is_a_line_of_json_with_the_fields_of_the_applications() throws Exception {
    var printed = new ByteArrayOutputStream();
    var stdout = System.out;
    var file = CellmeshHome.dir().resolve("monitoring/connect-log4j2.yaml");
    System.setOut(new PrintStream(printed, true, UTF_8));
    try (var context = Configurator.initialize("worker", null, file.toUri())) {
      ThreadContext.put("connector.context", "[trips-sink|task-0] ");
      context
          .getLogger("io.cellmesh.Some")
          .warn("two\nlines of {}", 3, new IllegalStateException("why"));
      ThreadContext.clearAll();
      context.getLogger("io.cellmesh.Other").info("without");
    } finally {
      System.setOut(stdout);
    }

    var lines = printed.toString(UTF_8).lines().toList();
    assertThat(lines).hasSize(2);
    var line = new ObjectMapper().readTree(lines.get(0));
    assertThat(Instant.parse(line.get("time").textValue())).isBefore(Instant.now());
    assertThat(line.get("time").textValue()).hasSize(24);
    assertThat(line.get("level").textValue()).isEqualTo("WARN");
    assertThat(line.get("connector").textValue()).isEqualTo("[trips-sink|task-0] ");
    assertThat(line.get("logger").textValue()).isEqualTo("io.cellmesh.Some");
    assertThat(line.get("thread").textValue()).isEqualTo(Thread.currentThread().getName());
    assertThat(line.get("message").textValue()).isEqualTo("two\nlines of 3");
    assertThat(line.get("stack_trace").textValue())
        .startsWith("java.lang.IllegalStateException: why")
        .contains("WorkerLogTest");
    assertThat(new ObjectMapper().readTree(lines.get(1)).get("message").textValue())
        .isEqualTo("without");
  }
}
