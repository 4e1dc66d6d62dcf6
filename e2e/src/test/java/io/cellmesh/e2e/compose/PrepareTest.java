package io.cellmesh.e2e.compose;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.e2e.Command;
import io.cellmesh.stack.StateDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code docker/prepare} on machines that can't run an engine, or have one; none is started. */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class PrepareTest {
  @TempDir private Path dir;

  private Path tools;

  @BeforeEach
  void noEngine() throws IOException {
    tools = Files.createDirectory(dir.resolve("tools"));
    tool("docker", "exit 1");
  }

  @Test
  void whoever_is_not_root_is_told_so_in_a_line_and_goes_on() throws Exception {
    tool("id", "echo 1000");

    assertSkips(prepare(300), "dockerd needs root; run this as root");
  }

  @Test
  void what_cannot_be_fetched_is_told_in_a_line() throws Exception {
    tool("id", "echo 0");
    tool("apt-get", "echo 'E: no network here' >&2; exit 100");

    assertSkips(prepare(300), "Debian's packages could not be fetched: E: no network here");
  }

  @Test
  void it_takes_no_longer_than_it_may() throws Exception {
    tool("id", "echo 0");
    tool("apt-get", "sleep 50");
    var began = Instant.now();

    assertSkips(prepare(2), "an engine and its images were not ready within 2 s");

    assertThat(Duration.between(began, Instant.now())).isLessThan(Duration.ofSeconds(20));
  }

  /** It is not ours to stop. */
  @Test
  void an_engine_that_answers_and_reaches_a_registry_is_taken_as_it_is() throws Exception {
    tool("docker", "[ \"$1\" != image ]");

    var prepared = prepare(300);

    assertThat(prepared.exit()).isZero();
    assertThat(prepared.out()).isBlank();
    assertThat(prepared.err()).isEmpty();
  }

  private static void assertSkips(Command prepared, String why) {
    assertThat(prepared.exit()).as(prepared.err()).isZero();
    assertThat(prepared.out()).isEmpty();
    assertThat(prepared.err())
        .startsWith("ComposeIT and ContainersIT are going to be skipped: ")
        .contains(why)
        .hasLineCount(1);
  }

  private void tool(String name, String script) throws IOException {
    var file = Files.writeString(tools.resolve(name), "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private Command prepare(int seconds) throws IOException, InterruptedException {
    var script = StateDirectory.home().resolve("docker/prepare").toString();
    var out = dir.resolve("out").toFile();
    var err = dir.resolve("err").toFile();
    var builder =
        new ProcessBuilder(script, dir.resolve("engine").toString())
            .redirectOutput(out)
            .redirectError(err);
    builder.environment().put("PATH", tools + ":" + System.getenv("PATH"));
    builder.environment().put("CELLMESH_PREPARE_SECONDS", Integer.toString(seconds));
    int exit = builder.start().waitFor();
    return new Command(exit, Files.readString(out.toPath()), Files.readString(err.toPath()));
  }
}
