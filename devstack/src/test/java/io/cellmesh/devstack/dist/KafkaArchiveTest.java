package io.cellmesh.devstack.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** An unpacked archive fetches the very Kafka that the build tests with. */
class KafkaArchiveTest {
  private static final Path BUILT = Path.of("kafka/target");
  private static final Pattern JAR =
      Pattern.compile("(?m)^ +(?<group>[^:\\s]+):(?<name>[^:]+):jar:(?<version>[^:]+):");

  @Test
  void the_list_names_the_jars_of_the_build_with_their_sums() throws IOException {
    var built = new StringBuilder();
    var jars =
        JAR.matcher(Files.readString(BUILT.resolve("jars.list")))
            .results()
            .map(jar -> MavenArtifact.jar(jar.group(1), jar.group(2), jar.group(3)))
            .sorted((a, b) -> coordinates(a).compareTo(coordinates(b)))
            .toList();
    for (var jar : jars) {
      var sum = sha256(BUILT.resolve("jars").resolve(jar.fileName()));
      built.append(coordinates(jar)).append(' ').append(sum).append('\n');
    }
    var proposal = Files.writeString(Path.of("target", KafkaArchive.LIST), built);

    try (var listed = KafkaArchive.class.getResourceAsStream(KafkaArchive.LIST)) {
      assertThat(new String(listed.readAllBytes(), StandardCharsets.UTF_8))
          .as("devstack/src/main/resources/…/%s; %s is right", KafkaArchive.LIST, proposal)
          .isEqualTo(built.toString());
    }
    try (var files = Files.list(BUILT.resolve("jars"))) {
      assertThat(files.map(file -> file.getFileName().toString()).collect(Collectors.toSet()))
          .containsExactlyInAnyOrderElementsOf(jars.stream().map(MavenArtifact::fileName).toList());
    }
  }

  private static String coordinates(MavenArtifact jar) {
    return "%s:%s:%s".formatted(jar.group(), jar.name(), jar.version());
  }

  private static String sha256(Path file) throws IOException {
    try {
      var digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
      return HexFormat.of().formatHex(digest);
    } catch (java.security.NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
