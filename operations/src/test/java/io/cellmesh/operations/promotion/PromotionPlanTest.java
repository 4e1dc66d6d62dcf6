package io.cellmesh.operations.promotion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.GtidSet;
import io.cellmesh.cell.ShardSet;
import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.OperationException.Kind;
import io.cellmesh.operations.topology.ServerAnswer;
import io.cellmesh.storage.replication.ServerRole;
import io.cellmesh.storage.replication.ServerRole.Following;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class PromotionPlanTest {
  /** The server_uuid of the master, whence all transactions are. */
  private static final String LINEAGE = "3e11fa47-71ca-11e1-9e33-c80aa9429562";

  private static final String OWN = "4e11fa47-71ca-11e1-9e33-c80aa9429562";
  private static final Server MASTER = new Server("db1", 3306, "rack1");
  private static final Server FIRST = new Server("db2", 3306, "rack2");
  private static final Server SECOND = new Server("db3", 3306, "rack3");
  private static final Server OTHER = new Server("db4", 3306, "rack4");
  private static final Server THIRD = new Server("db5", 3306, "rack5");

  private final Map<Server, ServerAnswer> roles = new HashMap<>();
  private final Map<String, Map<String, Integer>> epochs = new HashMap<>();
  private Topology topology = topology(1, MASTER, List.of(FIRST, SECOND), OTHER);

  PromotionPlanTest() {
    say(MASTER, silent());
    say(FIRST, minion(90));
    say(SECOND, minion(90));
    epochs.put("c1", Map.of("c1", 1));
    epochs.put("c2", Map.of("c1", 1));
  }

  @Test
  void a_minion_that_has_all_becomes_the_master_and_a_dead_one_leaves_the_map() {
    var plan = plan(FIRST);

    assertThat(plan.epoch()).isEqualTo(2);
    assertThat(plan.oldMasterAnswers()).isFalse();
    var after = plan.after(roles).cluster("c1");
    assertThat(after.master()).isEqualTo(FIRST);
    assertThat(after.minions()).containsExactly(SECOND);
    assertThat(after.epoch()).isEqualTo(2);
    assertThat(plan.warnings()).isEmpty();
  }

  @Test
  void a_minion_that_lacks_what_another_has_received_is_refused_with_the_command_for_that_one() {
    say(SECOND, minion(90, 95));

    assertRefused(() -> plan(FIRST))
        .hasMessageContaining("db2:3306 lacks 5 transactions that db3:3306 has: 3e11fa47…:91-95")
        .hasMessageContaining("`cellmesh promote --cluster c1 --to db3:3306`");
    assertThat(plan(SECOND).candidate()).isEqualTo(SECOND);
  }

  @Test
  void a_minion_that_is_away_can_refuse_nobody() {
    say(SECOND, silent());

    assertThat(plan(FIRST).after(roles).cluster("c1").minions()).containsExactly(SECOND);
  }

  @Test
  void what_a_living_master_has_the_candidate_still_gets_and_then_it_stays_as_a_minion() {
    say(MASTER, master(100, true));
    say(SECOND, minion(95));

    var plan = plan(FIRST);
    assertThat(plan.oldMasterAnswers()).isTrue();
    say(FIRST, minion(100));
    assertThat(plan.after(roles).cluster("c1").minions()).containsExactly(SECOND, MASTER);
  }

  @Test
  void an_old_master_that_has_more_does_not_stay() {
    say(MASTER, master(100, true));

    assertThat(plan(FIRST).after(roles).cluster("c1").minions()).containsExactly(SECOND);
  }

  @Test
  void the_epoch_is_higher_than_any_that_somebody_has_heard_of() {
    epochs.put("c2", Map.of("c1", 4));

    assertThat(plan(FIRST).epoch()).isEqualTo(5);
  }

  @Test
  void a_plan_whose_epoch_another_promotion_has_taken_since_is_not_carried_out() {
    var plan = plan(FIRST);
    assertThatCode(() -> plan.refuseOutdated(epochs)).doesNotThrowAnyException();

    epochs.put("c2", Map.of("c1", 2));

    assertRefused(() -> plan.refuseOutdated(epochs))
        .hasMessageContaining("epoch 2 of c1 has begun since this was planned");
    say(FIRST, detached(90));
    epochs.put("c1", Map.of("c1", 2));
    var goesOn = plan(FIRST);
    assertThatCode(() -> goesOn.refuseOutdated(epochs)).doesNotThrowAnyException();
  }

  @Test
  void a_promotion_that_ends_behind_the_fence_says_that_the_old_master_stays_fenced() {
    var busy = OperationException.refused("another command changes the servers of c1");
    assertThat(plan(FIRST).stayingFenced(busy)).as("it was away").isSameAs(busy);
    say(MASTER, master(90, true));

    var told = plan(FIRST).stayingFenced(busy);
    assertThat(told.kind()).isEqualTo(Kind.REFUSED);
    assertThat(told)
        .hasMessage(
            "another command changes the servers of c1. The old master db1:3306 was fenced and stays so until this is run once more; else `cellmesh promote --cluster c1 --to db1:3306` opens it again");
  }

  @Test
  void an_interrupted_promotion_goes_on_with_its_epoch() {
    say(FIRST, master(91, false));
    epochs.put("c1", Map.of("c1", 2));
    assertThat(plan(FIRST).epoch()).isEqualTo(2);
    epochs.put("c2", Map.of("c1", 2));
    assertThat(plan(FIRST).epoch()).isEqualTo(2);
    epochs.put("c2", Map.of("c1", 3));
    assertThat(plan(FIRST).epoch()).as("another one has begun since").isEqualTo(4);
  }

  @Test
  void an_epoch_that_came_by_replication_is_another_servers() {
    epochs.put("c1", Map.of("c1", 2));

    assertThat(plan(FIRST).epoch()).isEqualTo(3);
  }

  @Test
  void while_another_minion_takes_writes_nobody_else_is_promoted() {
    say(SECOND, master(95, true));

    assertRefused(() -> plan(FIRST))
        .hasMessageContaining("db3:3306 takes writes as well")
        .hasMessageContaining("`cellmesh promote --cluster c1 --to db3:3306`");
  }

  @Test
  void the_listed_master_is_opened_again_with_the_epoch_that_it_had() {
    say(MASTER, master(100, false));

    var plan = plan(MASTER);
    assertThat(plan.candidateIsListed()).isTrue();
    assertThat(plan.epoch()).isEqualTo(1);
    assertThat(plan.after(roles)).isEqualTo(topology);
  }

  @Test
  void a_listed_master_that_was_restored_and_lacks_what_its_minion_has_stays_closed() {
    say(MASTER, master(70, false));
    var plan = plan(MASTER);

    assertRefused(() -> plan.refuseRestored(roles, gtids(60), gtids(70)))
        .hasMessageContaining(
            "db1:3306 is the master by the topology, but lacks 20 transactions that its minion"
                + " db2:3306 has: 3e11fa47…:71-90")
        .hasMessageContaining("restored from a backup")
        .hasMessageContaining("`cellmesh promote --cluster c1 --to db2:3306`");
  }

  @Test
  void a_listed_master_that_was_restored_and_lacks_what_the_log_has_shown_stays_closed() {
    say(MASTER, master(70, false));
    say(FIRST, minion(70));
    say(SECOND, silent());
    var plan = plan(MASTER);

    assertRefused(() -> plan.refuseRestored(roles, gtids(75), gtids(70)))
        .hasMessageContaining("lacks 5 transactions that the log has shown")
        .hasMessageContaining("3e11fa47…:71-75")
        .hasMessageContaining("auto.cnf")
        .hasMessageContaining("`cellmesh log rebuild --cluster c1`");
  }

  @Test
  void a_listed_master_that_has_all_and_goes_on_while_it_is_looked_at_is_opened() {
    say(MASTER, master(90, true));
    say(FIRST, minion(91));

    assertThatCode(() -> plan(MASTER).refuseRestored(roles, gtids(92), gtids(95)))
        .doesNotThrowAnyException();
  }

  @Test
  void a_closed_master_of_which_nobody_can_say_that_it_has_all_needs_somebodys_word() {
    say(MASTER, master(70, false));
    say(FIRST, silent());
    say(SECOND, silent());

    assertRefused(() -> plan(MASTER).refuseUnproven(roles, false))
        .hasMessageContaining("nothing proves that db1:3306 has all that it once had")
        .hasMessageContaining("no other server of c1 answers")
        .hasMessageContaining("--has-everything");
    assertThatCode(() -> plan(MASTER).refuseUnproven(roles, true)).doesNotThrowAnyException();
    say(SECOND, minion(70));
    assertThatCode(() -> plan(MASTER).refuseUnproven(roles, false)).doesNotThrowAnyException();
    say(SECOND, silent());
    say(MASTER, master(70, true));
    assertThatCode(() -> plan(MASTER).refuseUnproven(roles, false)).doesNotThrowAnyException();
  }

  @Test
  void a_minion_alone_needs_somebodys_word_only_if_it_follows_nobody() {
    say(SECOND, silent());
    assertThatCode(() -> plan(FIRST).refuseUnproven(roles, false)).doesNotThrowAnyException();

    say(FIRST, detached(90));
    assertRefused(() -> plan(FIRST).refuseUnproven(roles, false))
        .hasMessageContaining("--has-everything");
    epochs.put("c1", Map.of("c1", 2));
    assertThatCode(() -> plan(FIRST).refuseUnproven(roles, false)).doesNotThrowAnyException();
  }

  @Test
  void a_minion_that_follows_nobody_and_lacks_what_the_living_master_has_is_refused() {
    say(MASTER, master(100, true));
    say(FIRST, detached(90));

    assertRefused(() -> plan(FIRST))
        .hasMessageContaining("db2:3306 lacks 10 transactions that the master db1:3306 has")
        .hasMessageContaining("3e11fa47…:91-100")
        .hasMessageContaining("follows nobody")
        .hasMessageContaining("`cellmesh minion add --cluster c1 --server db2:3306`");
    epochs.put("c1", Map.of("c1", 2));
    assertThat(plan(FIRST).epoch()).as("its promotion has begun").isEqualTo(2);
  }

  @Test
  void a_minion_that_was_master_once_and_comes_from_a_backup_is_refused_although_it_follows() {
    say(MASTER, master(100, true));
    var following =
        new Following(MASTER.host(), MASTER.port(), true, true, true, GtidSet.EMPTY, "", "");
    say(
        FIRST,
        ServerAnswer.of(new ServerRole(LINEAGE, gtids(90), true, true, Optional.of(following))));

    assertRefused(() -> plan(FIRST))
        .hasMessageContaining("once committed them itself and was restored from a backup");
  }

  @Test
  void an_old_master_that_comes_from_a_backup_is_no_minion_afterwards() {
    say(MASTER, master(70, false));

    var plan = plan(FIRST);
    assertThat(plan.after(roles).cluster("c1").minions()).containsExactly(SECOND);
    assertThat(plan.astray(roles))
        .hasValue(
            "lacks what it once committed itself (3e11fa47…:71-90), so it was restored from a backup");
    say(MASTER, master(90, false));
    assertThat(plan(FIRST).after(roles).cluster("c1").minions()).containsExactly(SECOND, MASTER);
  }

  @Test
  void a_listed_master_that_another_has_replaced_stays_closed() {
    say(MASTER, master(100, false));
    epochs.put("c2", Map.of("c1", 2));

    assertRefused(() -> plan(MASTER))
        .hasMessageContaining("this topology has epoch 1 of c1, but epoch 2 has begun");
    say(MASTER, minion(100));
    epochs.put("c2", Map.of("c1", 1));
    assertRefused(() -> plan(MASTER)).hasMessageContaining("follows db1:3306");
  }

  @Test
  void a_candidate_beside_the_only_other_master_is_refused() {
    var beside = new Server("db6", 3306, "rack4");
    topology = topology(1, MASTER, List.of(FIRST, beside), OTHER);
    say(beside, minion(90));

    assertRefused(() -> plan(beside))
        .hasMessageContaining("db6:3306 stands in the domain rack4")
        .hasMessageContaining("could not be buffered");
    topology =
        new Topology(
            "trips",
            new Shards(6, 2),
            "dc1",
            List.of(
                cluster("c1", "0-1", 1, MASTER, List.of(beside)),
                cluster("c2", "2-3", 1, OTHER, List.of()),
                cluster("c3", "4-5", 1, THIRD, List.of())));
    assertThat(plan(beside).after(roles).cluster("c1").master()).isEqualTo(beside);
    assertThat(plan(beside).warnings())
        .containsExactly(
            "with db6:3306 in the domain rack4 only c3 can take copies of c1: while its master is down no cell of c1 is secured",
            "with db6:3306 in the domain rack4 only c3 can take copies of c2: while its master is down no cell of c2 is secured");
  }

  @Test
  void a_candidate_that_does_not_answer_is_no_candidate() {
    say(FIRST, silent());

    assertThatThrownBy(() -> plan(FIRST)).hasMessageContaining("db2:3306 does not answer: gone");
  }

  @Test
  void one_that_falls_silent_before_it_is_compared_is_named() {
    var plan = plan(FIRST);
    say(FIRST, silent());

    assertThatThrownBy(() -> plan.refuseLessThanOthers(roles))
        .isInstanceOf(OperationException.class)
        .hasMessageContaining("db2:3306 does not answer any more: gone");
  }

  @Test
  void the_steps_are_told_before_they_are_done() {
    assertThat(plan(FIRST).intentions())
        .anyMatch(step -> step.contains("leave the old master db1:3306 behind"))
        .anyMatch(step -> step.contains("epoch 2 of c1"));
    say(MASTER, master(100, true));
    assertThat(plan(FIRST).intentions()).anyMatch(step -> step.contains("fence the old master"));
  }

  private static AbstractThrowableAssert<?, ?> assertRefused(ThrowingCallable planning) {
    return assertThatThrownBy(planning)
        .isInstanceOfSatisfying(
            OperationException.class, e -> assertThat(e.kind()).isEqualTo(Kind.REFUSED));
  }

  private PromotionPlan plan(Server candidate) {
    return PromotionPlan.of(topology, topology.cluster("c1"), candidate, roles, epochs);
  }

  private void say(Server server, ServerAnswer answer) {
    roles.put(server, answer);
  }

  private static ServerAnswer silent() {
    return ServerAnswer.silent("gone");
  }

  private static ServerAnswer minion(long executed) {
    return minion(executed, executed);
  }

  private static ServerAnswer minion(long executed, long retrieved) {
    var following =
        new Following(MASTER.host(), MASTER.port(), true, true, true, gtids(retrieved), "", "");
    return ServerAnswer.of(
        new ServerRole(OWN, gtids(executed), true, true, Optional.of(following)));
  }

  private static ServerAnswer detached(long executed) {
    return ServerAnswer.of(new ServerRole(OWN, gtids(executed), true, true, Optional.empty()));
  }

  private static ServerAnswer master(long executed, boolean open) {
    return ServerAnswer.of(
        new ServerRole(LINEAGE, gtids(executed), !open, !open, Optional.empty()));
  }

  private static GtidSet gtids(long last) {
    return GtidSet.parse(LINEAGE + ":1-" + last);
  }

  private static Topology topology(
      int epoch, Server master, List<Server> minions, Server otherMaster) {
    return new Topology(
        "trips",
        new Shards(4, 2),
        "dc1",
        List.of(
            cluster("c1", "0-1", epoch, master, minions),
            cluster("c2", "2-3", 1, otherMaster, List.of())));
  }

  private static StorageCluster cluster(
      String name, String shards, int epoch, Server master, List<Server> minions) {
    return new StorageCluster(name, ShardSet.parse(shards), epoch, master, minions);
  }
}
