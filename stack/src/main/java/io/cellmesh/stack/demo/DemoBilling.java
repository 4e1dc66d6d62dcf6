package io.cellmesh.stack.demo;

import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.connect.client.Waiting;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.examples.billing.Billing;
import io.cellmesh.examples.billing.StandInProvider;
import io.cellmesh.operations.trigger.TriggerDeletion;
import io.cellmesh.operations.trigger.TriggerSite;
import io.cellmesh.topics.trigger.Start;
import io.cellmesh.topics.trigger.TriggerName;
import io.cellmesh.triggers.RunningTrigger;
import io.cellmesh.triggers.TriggerState.Phase;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The trigger of the example, within this process, over some trips: those that were loaded before
 * have been billed by whoever made them up. It is deleted at the end, so that a stack that is kept
 * has no trigger that nobody runs.
 */
final class DemoBilling implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration LOOK = Duration.ofMillis(10);

  private final DataCenter home;
  private final Set<UUID> trips;
  private final Billing billing;
  private final RunningTrigger trigger;

  private DemoBilling(DataCenter home, Set<UUID> trips) throws InterruptedException {
    this.home = home;
    this.trips = trips;
    // Whose card is declined waits for a second, which says nothing of the way.
    this.billing = Billing.of(home, new StandInProvider((trip, attempt) -> false));
    this.trigger =
        billing
            .trigger(home)
            .startingAt(new Start.Now())
            .matching(cell -> trips.contains(cell.row()))
            .start();
  }

  /**
   * Returns once it runs, or after half a minute.
   *
   * @param cells of the trips to bill
   */
  static DemoBilling start(DataCenter home, List<Cell> cells) throws InterruptedException {
    var trips = cells.stream().map(cell -> cell.key().rowKey()).collect(Collectors.toSet());
    var billing = new DemoBilling(home, trips);
    Waiting.within(PATIENCE, LOOK, billing::runs);
    return billing;
  }

  private boolean runs() {
    var state = trigger.state();
    return state.phase() == Phase.RUNNING
        && state.partitions() == home.topology().shards().partitions();
  }

  /** Whether a cell is one of those that billing writes. */
  boolean writes(CellKey key) {
    return key.columnName().equals(Billing.STATUS) && trips.contains(key.rowKey());
  }

  /** The cell that says that a trip was charged, for the cell that has it charged. */
  Optional<CellKey> answer(CellKey key) {
    return key.columnName().equals(Billing.BASE) && key.refKey() == 1
        ? Optional.of(new CellKey(key.rowKey(), Billing.STATUS, 1))
        : Optional.empty();
  }

  @Override
  public void close() {
    trigger.close();
    billing.close();
    try {
      new TriggerDeletion(new TriggerSite(home), new TriggerName(Billing.NAME)).run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
