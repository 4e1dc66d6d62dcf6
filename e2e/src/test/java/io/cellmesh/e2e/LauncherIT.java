package io.cellmesh.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.stack.StateDirectory;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Comparator;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a newcomer's first command does: build the checkout with the JDK at hand. It is the newest
 * one here, since the next JDK is what breaks a build. When it builds, LauncherTest says in every
 * build, which is itself what is built here.
 */
@Tag("full")
class LauncherIT {
  private static final Set<String> NOT_SOURCES = Set.of("target", ".git", ".cellmesh");

  @TempDir Path checkout;

  @Test
  @Timeout(value = 8, unit = TimeUnit.MINUTES)
  void the_first_command_builds_a_fresh_checkout_with_the_newest_jdk() throws Exception {
    copySources();
    var jdk = newestJdk();

    var first = cellmesh(jdk, "topology", "--help");

    assertThat(first.out()).as("with %s", jdk).contains("Usage: cellmesh topology");
    assertThat(first.err()).contains("building from source");
    assertThat(first.exit()).isZero();
    var second = cellmesh(jdk, "--version");
    assertThat(second.err()).doesNotContain("building");
    assertThat(second.exit()).isZero();
  }

  private Output cellmesh(Path jdk, String... words) throws Exception {
    var command = Stream.concat(Stream.of("./cellmesh"), Stream.of(words)).toList();
    var out = Files.createTempFile("out", "");
    var err = Files.createTempFile("err", "");
    try {
      var builder = new ProcessBuilder(command).directory(checkout.toFile());
      builder.redirectOutput(out.toFile()).redirectError(err.toFile());
      var environment = builder.environment();
      environment.put("JAVA_HOME", jdk.toString());
      // A user has none; with it warnings are errors.
      environment.remove("CI");
      environment.remove("MAVEN_OPTS");
      int exit = builder.start().waitFor();
      return new Output(exit, Files.readString(out), Files.readString(err));
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }

  private record Output(int exit, String out, String err) {}

  private void copySources() throws IOException {
    var home = StateDirectory.home();
    Files.walkFileTree(
        home,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes)
              throws IOException {
            if (NOT_SOURCES.contains(dir.getFileName().toString())) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            Files.createDirectories(checkout.resolve(home.relativize(dir).toString()));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (attributes.isRegularFile()
                && !NOT_SOURCES.contains(file.getFileName().toString())) {
              Files.copy(file, checkout.resolve(home.relativize(file).toString()));
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** Of those beside the one that runs this test, where Debian, Red Hat and Temurin put them. */
  private static Path newestJdk() throws IOException {
    var running = Path.of(System.getProperty("java.home"));
    var beside = running.getParent();
    try (var homes = Files.list(beside)) {
      return Stream.concat(Stream.of(running), homes)
          .filter(home -> Files.isExecutable(home.resolve("bin/javac")))
          .max(Comparator.comparingInt(home -> major(home).orElse(0)))
          .orElse(running);
    }
  }

  private static Optional<Integer> major(Path home) {
    var release = home.resolve("release");
    if (!Files.isReadable(release)) {
      return Optional.empty();
    }
    var properties = new Properties();
    try (var in = Files.newInputStream(release)) {
      properties.load(in);
    } catch (IOException e) {
      return Optional.empty();
    }
    var version = properties.getProperty("JAVA_VERSION", "").replace("\"", "");
    return version.isEmpty()
        ? Optional.empty()
        : Optional.of(Runtime.Version.parse(version).feature());
  }
}
