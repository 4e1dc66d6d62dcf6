package io.cellmesh.herb;

import java.util.OptionalDouble;

/**
 * What bounds how much a run of a link brings.
 *
 * @param window of what the sink has not passed
 * @param pace that the peer is read at
 */
record LinkBounds(MeshWindow window, Pace pace) {
  /**
   * Holds the link to a pace. While it is held it fills no window, by which the sink would be asked
   * for: so it is here, or nobody would know whether others' cells still come.
   *
   * @param cells a second; empty: as many as come
   */
  void keepTo(OptionalDouble cells) {
    pace.keepTo(cells);
    if (cells.isPresent()) {
      window.ask();
    }
  }
}
