package io.cellmesh.operations.capacity;

import io.cellmesh.operations.OperationException;

/**
 * What is asked of an instance.
 *
 * @param rate cells a second that each data centre's own producers write
 * @param bytes of a cell as the log has it, envelope and key; 600 is a body of 300
 * @param copies that each cell has in buffers, {@code buffer.copies}
 */
public record Load(double rate, int bytes, int copies) {

  /**
   * @throws OperationException naming the figure and the rule
   */
  public Load {
    if (!(rate > 0)) {
      throw OperationException.invalid("rate: more than 0 cells a second");
    }
    if (bytes < 1 || copies < 1) {
      throw OperationException.invalid("bytes and copies: at least 1");
    }
  }

  /** Cells a second that a data centre has to store, its peers' and its own. */
  double stored(Layout layout) {
    return layout.datacenters() * rate;
  }

  Load at(double otherRate) {
    return new Load(otherRate, bytes, copies);
  }
}
