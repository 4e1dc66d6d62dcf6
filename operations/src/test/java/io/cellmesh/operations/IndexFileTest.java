package io.cellmesh.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IndexFileTest {
  @TempDir private Path dir;

  @Test
  void theDefinitionsOfEveryPassAreReadButNotOfOneThatIsStillBeingWritten() throws Exception {
    write("p1/by_driver.yaml", "by_driver");
    write("p2/by_city.yaml", "by_city");
    write("p2/backfill", "none");
    write(".p3/by_state.yaml", "by_state");
    write("by_stars.yaml", "by_stars");
    assertThat(IndexFile.readAll(dir))
        .extracting(IndexFile::name)
        .containsExactly("by_stars", "by_driver", "by_city");
    assertThat(IndexFile.readAll(dir.resolve("missing"))).isEmpty();
  }

  private void write(String path, String index) throws IOException {
    var file = dir.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(
        file,
        """
        table: %s
        datastore: trips
        column_defs:
          - column_key: BASE
            fields:
              - {field: a, type: string}
        """
            .formatted(index));
  }
}
