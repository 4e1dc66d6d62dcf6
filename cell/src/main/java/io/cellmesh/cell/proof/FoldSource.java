package io.cellmesh.cell.proof;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The topic that cells were folded from. */
public enum FoldSource {
  /** {@code trips.log}: what the data centre holds, its own cells and those of its peers. */
  LOG,
  /** {@code trips.mesh}: what has arrived from its peers. */
  MESH;

  /** As keys, metrics and commands say it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Empty if the text says something else. */
  public static Optional<FoldSource> of(String text) {
    return Arrays.stream(values()).filter(source -> source.text().equals(text)).findFirst();
  }
}
