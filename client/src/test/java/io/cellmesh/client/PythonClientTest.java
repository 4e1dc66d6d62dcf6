package io.cellmesh.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The client in Python, tested by its own tests: without a site directory, so by nothing else. */
class PythonClientTest {
  private static final String IS_OLD = "import sys; sys.exit(sys.version_info < (3, 9))";

  @Test
  @Timeout(180)
  void it_keeps_its_promises_with_the_standard_library_alone() throws Exception {
    if (run("-c", IS_OLD).status != 0) {
      abort("python3 is older than 3.9");
    }
    var tests = run("-S", "-W", "error", "-m", "unittest", "cellmesh_test");
    assertThat(tests.status).as(tests.said).isZero();
    assertThat(tests.said).contains("OK").doesNotContain("Warning");
  }

  private record Ended(int status, String said) {}

  private static Ended run(String... arguments) throws IOException, InterruptedException {
    var builder = new ProcessBuilder("python3");
    builder.command().addAll(List.of(arguments));
    builder.directory(new File("python")).redirectErrorStream(true);
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      return abort("no python3 to run the client with: " + e.getMessage());
    }
    try {
      var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Ended(process.waitFor(), said);
    } finally {
      process.destroy();
    }
  }
}
