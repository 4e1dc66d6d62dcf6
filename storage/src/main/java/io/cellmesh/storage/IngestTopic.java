package io.cellmesh.storage;

import io.cellmesh.cell.Topics;
import java.util.Locale;

/** The two topics that cells come from. */
public enum IngestTopic {
  CELLS,
  MESH;

  /** The topic's name in an instance. */
  public String of(Topics topics) {
    return this == CELLS ? topics.cells() : topics.mesh();
  }

  /** As the buffer's {@code topic_kind} has it. */
  String column() {
    return name().toLowerCase(Locale.ROOT);
  }

  static IngestTopic ofColumn(String column) {
    return column.equals(MESH.column()) ? MESH : CELLS;
  }
}
