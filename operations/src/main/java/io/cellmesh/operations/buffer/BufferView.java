package io.cellmesh.operations.buffer;

import java.util.List;

/**
 * What all buffers of a data centre hold, by primary.
 *
 * @param unreachable the servers that could not be asked; what a master among them holds is missing
 */
public record BufferView(
    String datacenter, List<PrimaryView> primaries, List<Unreachable> unreachable) {

  /**
   * A server that could not be asked.
   *
   * @param role master or minion
   */
  public record Unreachable(String cluster, String role, String address, String why) {
    public boolean master() {
      return role.equals("master");
    }
  }

  /** The masters that could not be asked and may hold copies of a primary. */
  public List<Unreachable> mayHold(String primary) {
    return unreachable.stream()
        .filter(Unreachable::master)
        .filter(server -> !server.cluster().equals(primary))
        .toList();
  }
}
