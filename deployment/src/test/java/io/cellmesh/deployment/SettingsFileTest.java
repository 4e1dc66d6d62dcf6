package io.cellmesh.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsFileTest {
  @TempDir private Path dir;

  @Test
  void a_reference_is_what_it_leads_to() throws IOException {
    Files.writeString(dir.resolve("password"), "s3cret");
    var file = file("url=https://h/x\nkeystore.password=${directory:%s:password}\n".formatted(dir));

    assertThat(SettingsFile.read(file))
        .isEqualTo(Map.of("url", "https://h/x", "keystore.password", "s3cret"));
  }

  @Test
  void a_reference_that_leads_to_nothing_is_named_with_its_file() throws IOException {
    var file = file("keystore.password=${env:CELLMESH_NO_SUCH}\nother.password=s3cret\n");

    assertThatThrownBy(() -> SettingsFile.read(file))
        .isInstanceOf(DeploymentException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("${env:CELLMESH_NO_SUCH} leads to nothing: the variable is not set")
        .hasMessageNotContaining("s3cret");
  }

  @Test
  void a_file_that_is_not_there_or_holds_no_settings_is_named() throws IOException {
    assertThatThrownBy(() -> SettingsFile.read(dir.resolve("none")))
        .isInstanceOf(DeploymentException.class)
        .hasMessageContaining("none can't be read as settings");
    var file = file("url=\\u00zz\n");
    assertThatThrownBy(() -> SettingsFile.read(file))
        .isInstanceOf(DeploymentException.class)
        .hasMessageContaining("can't be read as settings");
  }

  private Path file(String text) throws IOException {
    return Files.writeString(dir.resolve("trigger.properties"), text);
  }
}
