package io.cellmesh.operations.index;

import io.cellmesh.cell.index.FieldType;
import io.cellmesh.cell.index.IndexColumn;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexField;
import io.cellmesh.storage.index.IndexVersion;
import io.cellmesh.storage.index.IndexVersion.State;
import java.util.List;

/** Indexes by one field of the column BASE, of the instance {@code trips}. */
final class Samples {
  private Samples() {}

  static IndexDefinition definition(String name, String field) {
    return new IndexDefinition(
        name,
        "trips",
        List.of(new IndexColumn("BASE", List.of(IndexField.of(field, FieldType.STRING)))));
  }

  static IndexVersion version(IndexDefinition definition, State state, String pass) {
    return new IndexVersion(definition, state, pass, 1);
  }
}
