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
  void theDefinitionsOfADirectoryAreReadByTheirFilesNames() throws Exception {
    write("b.yaml", "by_driver");
    write("a.yaml", "by_stars");
    write("c.definition", "by_city");
    assertThat(IndexFile.readAll(dir))
        .extracting(IndexFile::name)
        .containsExactly("by_stars", "by_driver");
    assertThat(IndexFile.readAll(dir.resolve("missing"))).isEmpty();
  }

  private void write(String path, String index) throws IOException {
    Files.writeString(
        dir.resolve(path),
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
