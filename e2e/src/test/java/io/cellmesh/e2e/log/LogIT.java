package io.cellmesh.e2e.log;

import io.cellmesh.e2e.faults.FaultStack;
import io.cellmesh.e2e.faults.Report;
import io.cellmesh.e2e.faults.StackScenarios;
import io.cellmesh.stack.StackOptions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The log has every committed cell, in commit order per shard, through whatever happens. The
 * scenarios share a stack of two storage clusters and two workers. What a source's recovery depends
 * on without Connect, OtherServersIT and CellSourceTaskIT prove in every build; that it outlives
 * mysqld and its worker, CellSourceConnectorIT; a topic for each shard, ShardTopicsIT; the order
 * itself, PromotionIT before it changes masters.
 */
@Tag("full")
class LogIT extends StackScenarios {
  private static final LogFigures FIGURES = LogFigures.ofThisRun();

  private LogMonitor monitor;

  @Override
  protected FaultStack start() throws Exception {
    Report.line("%s", FIGURES);
    var options =
        new StackOptions(Optional.empty(), 1, 16, 8, List.of()).withClusters(2).withWorkers(2);
    return FaultStack.start(options, state);
  }

  @BeforeAll
  void beginToFollow() {
    monitor = LogMonitor.of(stack, stack.topology());
  }

  @AfterAll
  void stopWatching() {
    if (monitor != null) {
      monitor.close();
    }
  }

  @Test
  @Order(2)
  void order_holds_in_a_topic_for_each_shard() throws Exception {
    new LogOrder(stack, FIGURES).topicForEachShard();
  }

  @Test
  @Order(3)
  void restarts_of_the_server_that_is_read_leave_no_gap() throws Exception {
    new LogFaults(stack, FIGURES, monitor).servers();
  }

  @Test
  @Order(4)
  void restarts_of_connections_and_of_the_broker_leave_no_gap() throws Exception {
    new LogFaults(stack, FIGURES, monitor).connections();
  }

  @Test
  @Order(5)
  void restarts_of_the_worker_that_reads_leave_no_gap() throws Exception {
    new LogFaults(stack, FIGURES, monitor).workers();
  }

  @Test
  @Order(10)
  void restarts_before_the_first_offset_was_flushed_leave_no_gap() throws Exception {
    new FirstRecord(stack).lost();
  }

  @Test
  @Order(6)
  void recovery_from_a_purge_on_the_minion_is_reading_the_master() throws Exception {
    new LogRecovery(stack).purgedOnTheMinion();
  }

  @Test
  @Order(7)
  void recovery_from_a_purge_everywhere_is_a_rebuild() throws Exception {
    new LogRecovery(stack).purgedEverywhere();
  }

  @Test
  @Order(8)
  void recovery_from_deleted_offsets_is_reading_all_once_more() throws Exception {
    new LogRecovery(stack).offsetsDeleted();
  }

  @Test
  @Order(9)
  void recovery_from_another_server_behind_the_address_is_a_rebuild() throws Exception {
    new LogRecovery(stack).divergedBehindOneAddress();
  }

  @Test
  @Order(11)
  void restarts_with_exactly_once_on_repeat_nothing() throws Exception {
    var faults = new LogFaults(stack, FIGURES, monitor);
    faults.turnExactlyOnceOn();
    faults.exactlyOnce();
  }
}
