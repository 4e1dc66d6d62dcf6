package io.cellmesh.operations.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.deployment.Pass;
import io.cellmesh.operations.OperationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PassDirectoryTest {
  private static final IndexDefinition BY_CITY = Samples.definition("by_city", "city");
  private static final IndexDefinition BY_CITY_2 = BY_CITY.withVersion(2);

  @TempDir private Path directory;

  @Test
  void passesAreReadAsTheyStandThere() throws IOException {
    write("p2", "by_city.yaml", BY_CITY.toYaml());
    write("p2", "by_city.v2.yaml", BY_CITY_2.toYaml());
    write("p1", "by_city.yaml", BY_CITY.toYaml());
    write("p1", "backfill", "");
    write(".p3", "by_city.yaml", BY_CITY.toYaml());
    assertThat(PassDirectory.read(directory))
        .containsExactly(
            new Pass("p1", List.of(BY_CITY), true),
            // The state that is there was made in the order of the files' names.
            new Pass("p2", List.of(BY_CITY_2, BY_CITY), false));
    assertThat(PassPublication.inOrder(List.of(BY_CITY, BY_CITY_2)))
        .containsExactly(BY_CITY_2, BY_CITY);
  }

  @Test
  void whatIsNoPassIsRefusedByItsFile() throws IOException {
    write("p1", "by_city.yaml", "table: 1\n");
    refused("p1/by_city.yaml: ");
    write("p1", "by_city.yaml", BY_CITY.toYaml());
    Files.createDirectory(directory.resolve("p2"));
    refused("p2: a pass has at least one definition");
  }

  private void refused(String message) {
    assertThatThrownBy(() -> PassDirectory.read(directory))
        .isInstanceOf(OperationException.class)
        .hasMessageContaining(message);
  }

  private void write(String pass, String file, String text) throws IOException {
    Files.createDirectories(directory.resolve(pass));
    Files.writeString(directory.resolve(pass).resolve(file), text);
  }
}
