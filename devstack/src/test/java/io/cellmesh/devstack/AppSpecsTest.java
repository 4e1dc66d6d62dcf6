package io.cellmesh.devstack;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AppSpecsTest {
  @TempDir Path dir;

  @Test
  void whatWasStartedCanBeStartedAgainByAnother() {
    var household = new Household(dir, Optional.empty());
    var index = spec("index");
    var herb = spec("herb");

    AppSpecs.write(index, household);
    AppSpecs.write(herb, household);

    assertThat(AppSpecs.read(household)).containsExactly(herb, index);
  }

  @Test
  void aStackWithoutAppsHasNone() {
    assertThat(AppSpecs.read(new Household(dir, Optional.empty()))).isEmpty();
  }

  private static JavaApp.Spec spec(String name) {
    return new JavaApp.Spec(
        name, Path.of("/jars"), "x.Main", List.of("a", "b c"), Map.of("K", "v"), List.of("-Xmx1g"));
  }
}
