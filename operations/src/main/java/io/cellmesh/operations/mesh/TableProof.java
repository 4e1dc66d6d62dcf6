package io.cellmesh.operations.mesh;

import io.cellmesh.cell.proof.TableVerdict;
import java.util.List;
import java.util.OptionalLong;

/**
 * What the workers of a data centre have found in its entity tables, which they read all the time.
 *
 * @param datacenter whose tables
 * @param partitions that its instance has
 * @param verdicts of each partition that was ever read
 */
public record TableProof(String datacenter, int partitions, List<TableVerdict> verdicts) {
  public TableProof {
    verdicts = List.copyOf(verdicts);
  }

  /** Whether no row is known to differ. */
  public boolean agrees() {
    return verdicts.stream().allMatch(verdict -> verdict.found() == 0);
  }

  /** Rows that were read when each was read last, on all servers. */
  public long rows() {
    return verdicts.stream().mapToLong(TableVerdict::rows).sum();
  }

  /** When the partition was read that was read longest ago; empty unless all were. */
  public OptionalLong oldest() {
    return verdicts.size() < partitions
        ? OptionalLong.empty()
        : verdicts.stream().mapToLong(TableVerdict::at).min();
  }
}
