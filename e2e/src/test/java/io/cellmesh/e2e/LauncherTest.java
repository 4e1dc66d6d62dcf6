package io.cellmesh.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.stack.StateDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When {@code ./cellmesh} builds a checkout, by one whose Maven only notes that it was called. */
class LauncherTest {
  private static final String BUILT = "cli/target/app";

  @TempDir private Path checkout;

  @BeforeEach
  void prepare() throws IOException {
    copy("cellmesh");
    copy("dist/bin/launch.sh");
    program("dist/bin/cellmesh", "echo \"ran $*\"");
    program(
        "mvnw",
        """
        echo "$*" >> calls
        [ ! -f broken ]
        mkdir -p cli/target/app devstack/target/kafka connect-sink/target/plugin connect-source/target/plugin \\
          index-streams/target/app herb-replicator/target/app bench/peer/target/plugin \\
          bench/peer-source/target/plugin bench/peer-trigger/target/app""");
    source("cell/src/main/java/Cell.java");
  }

  @Test
  void the_first_command_builds_and_those_after_it_do_not() throws Exception {
    var first = cellmesh();
    assertThat(first.exit()).as(first.err()).isZero();
    assertThat(first.out()).isEqualTo("ran topology --help\n");
    assertThat(first.err()).contains("building from source");

    var second = cellmesh();
    assertThat(second.out()).isEqualTo("ran topology --help\n");
    assertThat(second.err()).isEmpty();
    assertThat(calls())
        .singleElement()
        .asString()
        .contains("-Dmaven.test.skip=true", "-pl !dist,!e2e", "package");
  }

  @Test
  void a_source_that_has_changed_or_was_deleted_and_a_directory_that_is_gone_are_built_again()
      throws Exception {
    cellmesh();
    later(source("bench/peer/src/main/java/Peer.java"));
    cellmesh();
    assertThat(calls()).hasSize(2);

    // The build has begun before: what is of that time is not newer.
    later(checkout.resolve("cli/target/launcher.built"));
    Files.delete(checkout.resolve("cell/src/main/java/Cell.java"));
    later(checkout.resolve("cell/src/main/java"));
    cellmesh();
    assertThat(calls()).hasSize(3);

    Files.delete(checkout.resolve(BUILT));
    cellmesh();
    assertThat(calls()).hasSize(4);
    assertThat(checkout.resolve(BUILT)).isDirectory();
  }

  @Test
  void a_build_that_failed_is_told_and_tried_again_by_the_next_command() throws Exception {
    Files.createFile(checkout.resolve("broken"));
    var failed = cellmesh();
    assertThat(failed.exit()).isEqualTo(3);
    assertThat(failed.out()).isEmpty();
    assertThat(failed.err()).contains("the build failed; see the lines above");

    Files.delete(checkout.resolve("broken"));
    assertThat(cellmesh().exit()).isZero();
    assertThat(calls()).hasSize(2);
  }

  @Test
  void who_wants_no_build_gets_none() throws Exception {
    var run = cellmesh(Map.of("CELLMESH_BUILD", "never"));

    assertThat(run.out()).isEqualTo("ran topology --help\n");
    assertThat(checkout.resolve("calls")).doesNotExist();
  }

  private Command cellmesh() throws Exception {
    return cellmesh(Map.of());
  }

  private Command cellmesh(Map<String, String> environment) throws Exception {
    var out = checkout.resolve("out");
    var err = checkout.resolve("err");
    var builder =
        new ProcessBuilder("./cellmesh", "topology", "--help")
            .directory(checkout.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().remove("CELLMESH_BUILD");
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().putAll(environment);
    int exit = builder.start().waitFor();
    return new Command(exit, Files.readString(out), Files.readString(err));
  }

  /** What Maven was called with, each time. */
  private List<String> calls() throws IOException {
    return Files.readAllLines(checkout.resolve("calls"));
  }

  private Path source(String name) throws IOException {
    var file = checkout.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "");
    // Of the time before any build, whatever a file system's clock is good for.
    for (var old : Stream.of(file, file.getParent(), file.getParent().getParent()).toList()) {
      Files.setLastModifiedTime(old, FileTime.from(Instant.now().minusSeconds(3_600)));
    }
    return file;
  }

  /** Changes it as seen from the last build; what is changed after this counts from now on. */
  private static void later(Path file) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(30)));
  }

  private void copy(String name) throws IOException {
    var file = checkout.resolve(name);
    Files.createDirectories(file.getParent());
    Files.copy(StateDirectory.home().resolve(name), file);
  }

  private void program(String name, String script) throws IOException {
    var file = Files.writeString(checkout.resolve(name), "#!/bin/sh\nset -e\n" + script + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
