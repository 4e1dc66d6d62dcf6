package io.cellmesh.devstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Of a broker and a Connect worker that have worked. The tests that come after it in a build start
 * theirs from the archives that it leaves, so it stands in the module for which those wait.
 */
class ClassArchiveIT {
  @TempDir private Path dir;

  @Test
  void whatHasWorkedLeavesAClassArchiveFromWhichTheNextOnesStart() throws Exception {
    var options = Options.defaults().withDatacenters(1).withoutMySql();
    try (var stack = DevStack.start(options, Progress.silent())) {
      work(stack);

      for (var child : stack.children()) {
        var archive = KafkaJars.archive(child.kind());
        archive.writeFrom(child.pid());
        assertThat(archive.flags())
            .singleElement()
            .asString()
            .matches("-XX:SharedArchiveFile=.*/%s-[0-9a-f]{8}\\.jsa".formatted(child.kind()));
        child.restart();
        assertThat(child.command()).containsAll(archive.flags());
      }
    }
  }

  /** Has lines go through a topic, so that most of what a connector's tasks need is loaded. */
  private void work(DevStack stack) throws IOException {
    stack.broker("dc1").create(new NewTopic("lines", 1, (short) 1));
    var from = Files.writeString(dir.resolve("from"), "one\n");
    var to = dir.resolve("to");
    var client = stack.worker("dc1").client();
    client.put("reader", connector("Source", from, "topic"));
    client.put("writer", connector("Sink", to, "topics"));
    await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(to) && Files.size(to) > 0);
  }

  private static Map<String, String> connector(String kind, Path file, String topic) {
    var string = "org.apache.kafka.connect.storage.StringConverter";
    var settings = new HashMap<String, String>();
    settings.put("connector.class", "FileStream" + kind + "Connector");
    settings.put("file", file.toString());
    settings.put(topic, "lines");
    settings.put("key.converter", string);
    settings.put("value.converter", string);
    return settings;
  }
}
