package io.cellmesh.operations.status;

/**
 * One hop of the way of a cell.
 *
 * @param datacenter where the hop ends
 * @param name from what to what
 * @param behind records or rows that have not made the hop yet
 */
public record PipelineHop(String datacenter, String name, long behind) {
  @Override
  public String toString() {
    return datacenter + " " + name + ": " + behind;
  }
}
