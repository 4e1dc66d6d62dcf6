package io.cellmesh.devstack.dist;

import io.cellmesh.devstack.Progress;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The jars of Kafka's broker and Connect worker, from Maven Central. {@code kafka-jars.txt} names
 * them, each with the sum of the file that was tested.
 */
public final class KafkaArchive {
  static final String LIST = "kafka-jars.txt";

  private final Cache cache;
  private final Progress progress;

  public KafkaArchive(Cache cache, Progress progress) {
    this.cache = cache;
    this.progress = progress;
  }

  /** The directory that holds all of them and nothing else, filled if it is not there yet. */
  public Path unpacked() throws IOException {
    var jars = jars();
    var version =
        jars.stream()
            .map(Jar::artifact)
            .filter(artifact -> artifact.name().equals("kafka-server"))
            .map(MavenArtifact::version)
            .findFirst()
            .orElseThrow();
    return cache.directory("kafka-" + version, empty -> fill(jars, empty)).resolve("libs");
  }

  private void fill(List<Jar> jars, Path dir) throws IOException {
    progress.step("fetching Kafka, %d jars".formatted(jars.size()));
    var libs = Files.createDirectory(dir.resolve("libs"));
    var fetch = new MavenFetch(progress);
    for (var jar : jars) {
      var target = libs.resolve(jar.artifact.fileName());
      var file = fetch.file(jar.artifact, jar.sha256, target);
      if (!file.equals(target)) {
        Files.copy(file, target);
      }
    }
  }

  private static List<Jar> jars() throws IOException {
    try (var in = KafkaArchive.class.getResourceAsStream(LIST)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().map(Jar::of).toList();
    }
  }

  private record Jar(MavenArtifact artifact, String sha256) {
    /** As in {@code GROUP:NAME:VERSION SHA256}. */
    private static Jar of(String line) {
      var words = line.split("[: ]");
      return new Jar(MavenArtifact.jar(words[0], words[1], words[2]), words[3]);
    }
  }
}
