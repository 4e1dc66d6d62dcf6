package io.cellmesh.operations.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.index.IndexDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PassDirectoryTest {
  private static final IndexDefinition BY_CITY =
      Samples.definition("by_city", "city").withVersion(2);

  @TempDir private Path directory;

  @Test
  void aPassAppearsWholeAndReadsBack() throws IOException {
    var passes = new PassDirectory(directory);
    passes.publish("p2", List.of(BY_CITY), true);
    assertThat(passes.has("p2")).isTrue();
    assertThat(passes.isBackfilled("p2")).isTrue();
    assertThat(IndexDefinition.parse(Files.readString(directory.resolve("p2/by_city.v2.yaml"))))
        .isEqualTo(BY_CITY);
    try (var left = Files.list(directory)) {
      assertThat(left).containsExactly(directory.resolve("p2"));
    }
  }

  @Test
  void aPassThatIsThereNeverChanges() throws IOException {
    var passes = new PassDirectory(directory);
    passes.publish("p2", List.of(BY_CITY), false);
    passes.publish("p2", List.of(), true);
    assertThat(passes.isBackfilled("p2")).isFalse();
    assertThat(directory.resolve("p2/by_city.v2.yaml")).exists();
  }

  @Test
  void aPassGoesWholeAndMayBeGoneAlready() throws IOException {
    var passes = new PassDirectory(directory);
    passes.publish("p2", List.of(BY_CITY), true);
    passes.remove("p2");
    passes.remove("p2");
    assertThat(directory).isEmptyDirectory();
  }
}
