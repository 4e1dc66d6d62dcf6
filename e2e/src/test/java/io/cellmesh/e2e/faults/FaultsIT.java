package io.cellmesh.e2e.faults;

import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A secured cell is never lost nor put out of order, whatever dies. Every scenario has cells
 * flowing. Deaths that CopiesAndOutagesIT proves on a quiet sink, SimulationTest in any order, and
 * ChaosIT under load, wait for the full build, as does the poison that TwoDataCentresIT sends.
 * SlowPrimaryIT has a primary that hangs in every build, BufferedWritesIT a writer who finds itself
 * replaced, and LogIT, whose stack it shares, what expired unread.
 */
@Tag("full")
class FaultsIT extends StackScenarios {
  private static final Figures FIGURES = Figures.ofThisRun();

  @Override
  protected FaultStack start() throws Exception {
    Report.line("%s, seed %d", FIGURES, Figures.seed());
    return FaultStack.start(state);
  }

  @Test
  @Order(1)
  void a_killed_primarys_cells_wait_in_the_buffers_and_go_in_when_it_is_back() throws Exception {
    new PrimaryFaults(stack, FIGURES).killed();
  }

  @Test
  @Order(2)
  void a_primary_that_hangs_slows_nobody_elses_cells_down() throws Exception {
    new PrimaryFaults(stack, FIGURES).stopped();
  }

  @Test
  @Order(3)
  void a_secondary_that_dies_in_mid_batch_is_replaced_by_another() throws Exception {
    new SecondaryFaults(stack, FIGURES).killedInMidBatch();
  }

  @Test
  @Order(4)
  void without_any_secondary_nothing_is_secured_and_nothing_is_lost() throws Exception {
    new SecondaryFaults(stack, FIGURES).allDown();
  }

  @Test
  @Order(5)
  void a_worker_may_be_killed_at_any_point_and_any_number_of_times() throws Exception {
    new WorkerFaults(stack, FIGURES).killedAgainAndAgain();
  }

  @Test
  @Order(6)
  void a_worker_that_slept_in_a_transaction_finds_itself_replaced() throws Exception {
    new WorkerFaults(stack, FIGURES).stoppedInATransaction();
  }

  @Test
  @Order(7)
  void a_worker_that_slept_until_its_locks_were_freed_finds_itself_replaced() throws Exception {
    new WorkerFaults(stack, FIGURES).stoppedUntilReplaced();
  }

  @Test
  @Order(8)
  void a_secondary_lost_while_a_primary_is_down_takes_no_cell_with_it() throws Exception {
    new SecondaryFaults(stack, FIGURES).lostWhileAPrimaryIsDown();
  }

  @Test
  @Order(9)
  void a_worker_killed_while_a_primary_is_down_and_a_secondary_hangs_leaves_no_gap()
      throws Exception {
    new SecondaryFaults(stack, FIGURES).workerKilledMeanwhile();
  }

  @Test
  @Order(10)
  void poison_is_rejected_or_stored_as_it_is_and_delays_no_other_cell() throws Exception {
    new PoisonFaults(stack, FIGURES).oneInAHundred();
  }

  @Test
  @Order(11)
  void offsets_that_were_reset_by_hand_neither_lose_nor_repeat_a_cell() throws Exception {
    new IngestFaults(stack).offsetsReset();
  }

  @Test
  @Order(12)
  void what_the_topic_lost_while_a_primary_was_down_comes_from_the_buffers() throws Exception {
    new IngestFaults(stack).expiredWhileAPrimaryIsDown();
  }

  @Test
  @Order(13)
  void a_recreated_topic_is_noticed_at_once_and_read_from_its_beginning_on_demand()
      throws Exception {
    new IngestFaults(stack).recreated();
  }
}
