package io.cellmesh.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The application with JSON for a log. It needs no Kafka to have something to say. */
class JsonLogIT {
  private static final String SECRET = "n0body-may-read-this";

  @Test
  void every_line_is_an_object_that_says_whose_it_is_and_holds_no_secret(@TempDir Path dir)
      throws Exception {
    Files.writeString(dir.resolve("kafka-password"), SECRET);
    Files.writeString(
        dir.resolve("kafka.properties"),
        """
        security.protocol=SASL_PLAINTEXT
        sasl.mechanism=PLAIN
        sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="u" password="${directory:%s:kafka-password}";
        """
            .formatted(dir));
    Files.writeString(dir.resolve("topology.yaml"), TestInstance.TOPOLOGY.formatted("trips"));
    var deployment =
        Files.writeString(
            dir.resolve("cellmesh.yaml"),
            """
            instance: trips
            datacenters:
              - name: dc1
                topology: topology.yaml
                kafka: {bootstrap: "127.0.0.1:1", config: kafka.properties}
            """);
    var log = dir.resolve("log");
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var builder =
        new ProcessBuilder(
                java,
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                TestInstance.APP + "/*",
                TestInstance.MAIN,
                "--deployment",
                deployment.toString(),
                "--state-dir",
                dir.resolve("state").toString())
            .redirectOutput(log.toFile());
    builder.environment().put("CELLMESH_LOG_FORMAT", "json");
    var app = builder.start();
    try {
      await().atMost(Duration.ofSeconds(60)).until(() -> Files.readAllLines(log).size() >= 3);
    } finally {
      app.destroy();
      app.onExit().get();
    }

    var json = new ObjectMapper();
    List<String> lines = Files.readAllLines(log);
    for (var line : lines) {
      var event = json.readTree(line);
      assertThat(Instant.parse(event.get("time").textValue())).isBefore(Instant.now());
      assertThat(event.get("application").textValue()).isEqualTo("index-streams");
      assertThat(event.get("instance").textValue()).isEqualTo("trips");
      assertThat(event.get("dc").textValue()).isEqualTo("dc1");
      assertThat(event.get("message").textValue()).isNotBlank();
      assertThat(line).contains("\"level\"", "\"logger\"", "\"thread\"").doesNotContain(SECRET);
    }
    assertThat(lines.get(lines.size() - 1)).contains("\"message\":\"Stopped\"");
  }
}
