package io.cellmesh.e2e.outside;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.e2e.compose.Docker;
import java.io.Closeable;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Somebody else's project, outside the checkout, goes by docs/testcontainers.md. */
class ContainersIT {
  private Closeable alone = () -> {};

  @BeforeEach
  void waitForTheEngine() throws Exception {
    Docker.missing().ifPresent(Assumptions::abort);
    alone = Docker.alone();
  }

  @AfterEach
  void leaveTheEngine() throws Exception {
    alone.close();
  }

  @Test
  void the_example_of_the_page_passes_in_a_project_of_its_own(@TempDir Path dir) throws Exception {
    var built = Docker.compose("", "build", "init-secrets", "connect1");
    assertThat(built.exit()).as(built.err()).isZero();
    var project = new UserProject(dir);
    project.write();

    var verified = project.verify(environment());

    assertThat(verified.exit()).as(verified.out()).isZero();
    assertThat(verified.out()).contains("Tests run: 1, Failures: 0, Errors: 0, Skipped: 0");
    var left =
        Docker.run("", List.of("ps", "-aq", "--filter", "label=org.testcontainers=true")).out();
    assertThat(left).as("containers that are left").isEmpty();
  }

  private static Map<String, String> environment() throws Exception {
    if (!Docker.hasStandIns()) {
      return Map.of();
    }
    var environment = new HashMap<>(Docker.standIns());
    // Its image is not to be had either.
    environment.put("TESTCONTAINERS_RYUK_DISABLED", "true");
    return environment;
  }
}
