package io.cellmesh.storage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConflictKindTest {
  @ParameterizedTest
  @CsvSource({"dc1, dc1, OWN", "dc1, dc2, MESH", "dc2, dc1, MESH", "dc2, dc2, MESH"})
  void a_conflict_is_of_the_mesh_once_one_of_its_records_came_by_it(
      String kept, String refused, ConflictKind kind) {
    assertThat(ConflictKind.of(kept, refused, "dc1")).isEqualTo(kind);
  }
}
