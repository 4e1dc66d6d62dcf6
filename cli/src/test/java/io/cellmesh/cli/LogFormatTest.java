package io.cellmesh.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What {@code --debug} adds to stderr, in a JVM of its own, since the variable is its own. */
class LogFormatTest {
  @Test
  void the_libraries_warnings_are_lines_of_json_if_the_variable_says_so() throws Exception {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var builder =
        new ProcessBuilder(
            java,
            "-Dcellmesh.log=WARN",
            "-cp",
            System.getProperty("java.class.path"),
            Warning.class.getName());
    builder.environment().put("CELLMESH_LOG_FORMAT", "json");
    var process = builder.start();

    var err = new String(process.getErrorStream().readAllBytes(), UTF_8);

    assertThat(process.waitFor()).as(err).isZero();
    assertThat(err.lines()).hasSize(1);
    var line = new ObjectMapper().readTree(err);
    assertThat(Instant.parse(line.get("time").textValue())).isBefore(Instant.now());
    assertThat(line.get("level").textValue()).isEqualTo("WARN");
    assertThat(line.get("logger").textValue()).isEqualTo("org.apache.kafka.Some");
    assertThat(line.get("message").textValue()).isEqualTo("take care");
    assertThat(line.get("stack_trace").textValue()).contains("IllegalStateException: why");
    assertThat(line.toString()).doesNotContain("n0body");
  }

  /** A library that warns. */
  static final class Warning {
    public static void main(String[] args) {
      LoggerFactory.getLogger("org.apache.kafka.Some")
          .warn("take care", "n0body", new IllegalStateException("why"));
    }
  }
}
