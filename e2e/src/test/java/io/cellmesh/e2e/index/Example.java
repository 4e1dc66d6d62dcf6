package io.cellmesh.e2e.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.e2e.faults.FaultStack;
import io.cellmesh.stack.StateDirectory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Runs the shell commands of a page of the docs, in their order and as they stand there. */
final class Example {
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```sh\n(.*?)^```$");

  /** For a script that hangs; how long each command takes is tested nowhere. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private Example() {}

  /** Goes by the page on queries of an index. */
  static void check(FaultStack stack) throws Exception {
    assertThat(run(stack, "examples/index-queries.md"))
        .contains("5 rows", "more: --after", "BASE", "STATUS", "Index");
  }

  /**
   * Every command must succeed.
   *
   * @param page within docs
   * @return what they printed
   */
  private static String run(FaultStack stack, String page) throws Exception {
    var home = StateDirectory.home();
    var text = Files.readString(home.resolve("docs").resolve(page));
    var commands =
        BLOCK.matcher(text).results().map(block -> block.group(1)).collect(Collectors.joining());
    var script = Files.createTempFile(stack.directory(), "example", ".sh");
    Files.writeString(
        script,
        """
        set -euo pipefail
        cellmesh() { "%s" "$@" --state "%s"; }
        %s"""
            .formatted(
                home.resolve("cellmesh"),
                stack.directory(),
                commands.replace("./cellmesh", "cellmesh")));
    return run(script);
  }

  private static String run(Path script) throws Exception {
    var output = script.resolveSibling(script.getFileName() + ".out");
    var builder =
        new ProcessBuilder("bash", script.toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().put("CELLMESH_BUILD", "never");
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    var process = builder.start();
    boolean ended = process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    var printed = Files.readString(output, StandardCharsets.UTF_8);
    if (!ended) {
      process.descendants().forEach(ProcessHandle::destroy);
      process.destroy();
    }
    assertThat(ended && process.exitValue() == 0).as(printed).isTrue();
    return printed;
  }
}
