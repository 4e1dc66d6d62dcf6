package io.cellmesh.devstack;

import io.cellmesh.devstack.dist.Cache;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;

/**
 * Formats a broker's storage. Kafka's own tool takes a JVM's start for it; what it writes is the
 * same for every broker but for the ids, so it runs once a Kafka version and is copied after that.
 */
final class KafkaStorage {
  private static final String IDS = "meta.properties";

  private KafkaStorage() {}

  static void format(Cache cache, Path data, int node, String clusterId) throws IOException {
    var template =
        cache.directory("kafka-" + CellmeshHome.kafkaVersion() + "-storage", KafkaStorage::make);
    copy(template.resolve("data"), data);
    Files.writeString(
        data.resolve(IDS),
        """
        version=1
        node.id=%d
        cluster.id=%s
        directory.id=%s
        """
            .formatted(node, clusterId, uuid()));
  }

  /** Kafka 4.3 and before have their bootstrap snapshot beside the ids, 4.4 one directory below. */
  private static void copy(Path from, Path to) throws IOException {
    try (var files = Files.walk(from)) {
      for (var file : (Iterable<Path>) files::iterator) {
        var copied = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(copied);
        } else if (!file.endsWith(IDS)) {
          Files.copy(file, copied);
        }
      }
    }
  }

  private static void make(Path dir) throws IOException {
    var properties =
        Files.writeString(
            dir.resolve("broker.properties"),
            """
            process.roles=broker,controller
            node.id=1
            listeners=PLAINTEXT://127.0.0.1:9092,CONTROLLER://127.0.0.1:9093
            controller.listener.names=CONTROLLER
            controller.quorum.voters=1@127.0.0.1:9093
            log.dirs=%s
            """
                .formatted(dir.resolve("data")));
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", KafkaJars.classPath(), "kafka.tools.StorageTool", "format"));
    command.addAll(List.of("-t", uuid(), "-c", properties.toString()));
    var log = dir.resolve("format.log");
    try {
      var tool =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      if (tool.waitFor() != 0) {
        throw new IOException("Kafka's storage could not be formatted: " + Files.readString(log));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while Kafka's storage was formatted", e);
    }
  }

  /** An id as Kafka writes them; those that begin with a dash confuse its tools. */
  static String uuid() {
    var random = UUID.randomUUID();
    var bytes =
        ByteBuffer.allocate(16)
            .putLong(random.getMostSignificantBits())
            .putLong(random.getLeastSignificantBits())
            .array();
    var text = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    return text.startsWith("-") ? uuid() : text;
  }
}
