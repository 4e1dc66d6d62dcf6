package io.cellmesh.e2e.promotion;

import io.cellmesh.e2e.faults.FaultStack;
import io.cellmesh.e2e.faults.IngestFaults;
import io.cellmesh.e2e.faults.StackScenarios;
import io.cellmesh.e2e.log.LogFigures;
import io.cellmesh.e2e.log.LogOrder;
import io.cellmesh.stack.StackOptions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Masters are lost and replaced while cells flow; after every scenario the log is the tables. Each
 * leaves its clusters with a master and a minion. Who may be promoted, PromotionPlanTest says in
 * every build. Before any of it the log has the order of the commits, as LogIT has it through other
 * faults.
 */
class PromotionIT extends StackScenarios {
  @Override
  protected FaultStack start() throws Exception {
    var options =
        new StackOptions(Optional.empty(), 1, 16, 8, List.of()).withClusters(3).withWorkers(2);
    return FaultStack.start(options, state);
  }

  @Test
  @Order(-2)
  void order_two_writers_never_let_ids_and_commits_cross() throws Exception {
    new LogOrder(stack, LogFigures.ofThisRun()).race();
  }

  @Test
  @Order(-1)
  void order_of_the_log_is_that_of_the_binlog() throws Exception {
    new LogOrder(stack, LogFigures.ofThisRun()).asTheBinlog();
  }

  @Test
  @Order(1)
  void what_a_lost_master_alone_had_comes_back_and_its_ids_are_never_given_out_again()
      throws Exception {
    new LostMaster(stack).withTransactionsOfItsOwn();
  }

  @Test
  @Order(2)
  @Tag("full")
  void a_promotion_that_is_killed_at_each_of_its_stages_goes_on() throws Exception {
    new LostMaster(stack).promotedInPieces();
  }

  @Test
  @Order(3)
  @Tag("full")
  void an_old_master_that_wakes_with_a_worker_of_its_time_harms_nobody() throws Exception {
    new WokenMaster(stack).withAWorker();
  }

  @Test
  @Order(4)
  void an_old_master_that_wakes_while_it_is_replaced_is_fenced() throws Exception {
    new WokenMaster(stack).whileItIsReplaced();
  }

  @Test
  @Order(5)
  @Tag("full")
  void a_living_master_hands_over_to_the_minion_that_the_source_does_not_read() throws Exception {
    new TwoMinions(stack).handedOver();
  }

  @Test
  @Order(6)
  void a_worker_with_the_map_from_before_a_minion_was_removed_is_stopped() throws Exception {
    new TwoMinions(stack).removed();
  }

  @Test
  @Order(7)
  @Tag("full")
  void a_minion_that_lacks_what_the_log_or_another_minion_has_is_refused() throws Exception {
    new TwoMinions(stack).refused();
  }

  @Test
  @Order(8)
  @Tag("full")
  void a_master_beside_another_one_buffers_nothing_for_it_and_their_domain_may_fail()
      throws Exception {
    new SharedDomain(stack).thatFails();
  }

  @Test
  @Order(9)
  @Tag("full")
  void a_master_from_a_backup_is_not_opened_and_not_kept_as_a_minion() throws Exception {
    new RestoredServer(stack).asTheMaster();
  }

  @Test
  @Order(10)
  @Tag("full")
  void a_minion_from_a_backup_that_follows_nobody_is_not_promoted() throws Exception {
    new RestoredServer(stack).asAMinionThatFollowsNobody();
  }

  /** The last one, since nothing is deleted behind it any more. */
  @Test
  @Order(11)
  void records_that_expired_before_they_were_read_are_named_and_left_out_on_demand()
      throws Exception {
    new IngestFaults(stack).expiredWhileTheSinkIsStopped();
  }
}
