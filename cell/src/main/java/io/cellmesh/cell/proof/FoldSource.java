package io.cellmesh.cell.proof;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What cells were folded from. */
public enum FoldSource {
  /** {@code trips.log}: what the data centre holds, its own cells and those of its peers. */
  LOG,
  /** {@code trips.mesh}: what has arrived from its peers. */
  MESH,
  /** The entity tables of a server. */
  TABLE;

  /** Those that herb-replicator folds, all the time. */
  public static final List<FoldSource> TOPICS = List.of(LOG, MESH);

  /** As keys, metrics and commands say it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Empty if the text says something else. */
  public static Optional<FoldSource> of(String text) {
    return Arrays.stream(values()).filter(source -> source.text().equals(text)).findFirst();
  }
}
