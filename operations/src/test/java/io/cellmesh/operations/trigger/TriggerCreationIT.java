package io.cellmesh.operations.trigger;

import static io.cellmesh.operations.trigger.TriggerInstance.NAME;
import static io.cellmesh.operations.trigger.TriggerInstance.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.operations.OperationException;
import io.cellmesh.topics.trigger.Creation;
import io.cellmesh.topics.trigger.Order;
import io.cellmesh.topics.trigger.Start;
import io.cellmesh.topics.trigger.TriggerName;
import io.cellmesh.topics.trigger.TriggerPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** Creating triggers, where they begin, and of which there is one. */
class TriggerCreationIT {
  @Test
  void a_creation_is_one_thing_for_all_partitions_and_never_changes() throws Exception {
    var instance = TriggerInstance.create("one");
    instance.log(0, "BASE", 3);
    instance.log(1, "BASE", 5);

    var created = instance.create(NAME, Order.SHARD, new Start.Now());
    assertThat(created.isNew()).isTrue();
    assertThat(created.partitions()).extracting(Creation::begin).containsExactly(3L, 5L);
    assertThat(creations(instance)).isEqualTo(created.partitions());
    assertThat(created.partitions()).extracting(Creation::begun).containsOnly(false);

    instance.log(0, "BASE", 1);
    var again = instance.create(NAME, Order.SHARD, new Start.Now());
    assertThat(again.isNew()).isFalse();
    assertThat(again.partitions()).as("not begun anew").isEqualTo(created.partitions());

    assertThatThrownBy(() -> instance.create(NAME, Order.ROW, new Start.Now()))
        .isInstanceOf(OperationException.class)
        .hasMessageContaining("trigger billing is created and never changes")
        .hasMessageContaining("order = shard, asked for was row");
    assertThat(creations(instance)).isEqualTo(created.partitions());
  }

  @Test
  void of_two_that_create_at_once_one_does_and_the_other_is_told() throws Exception {
    var instance = TriggerInstance.create("two");
    instance.create(NAME, Order.SHARD, new Start.Now());
    var pool = Executors.newFixedThreadPool(2);
    try {
      for (int round = 0; round < 6; round++) {
        var name = new TriggerName("race-" + round);
        var together = new CyclicBarrier(2);
        var done = new ArrayList<String>();
        for (var each :
            pool.invokeAll(
                List.of(
                    creating(instance, name, Order.SHARD, together),
                    creating(instance, name, Order.ROW, together)))) {
          done.add(each.get());
        }
        assertThat(done).as("round %d", round).containsExactlyInAnyOrder("created", "refused");
        assertThat(instance.need(name))
            .extracting(p -> p.creation().orElseThrow().digest())
            .containsOnly(instance.need(name).get(0).creation().orElseThrow().digest());
      }
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void a_trigger_begins_where_it_was_asked_to_and_not_at_a_beginning_that_is_gone()
      throws Exception {
    var instance = TriggerInstance.create("begins");
    var old = NOW.minusSeconds(7_200);
    instance.logAt(0, old);
    instance.logAt(0, old.plusSeconds(3_600));
    instance.logAt(1, old);
    instance.log(1, "BASE", 2);
    instance
        .admin()
        .deleteRecords(Map.of(new TopicPartition("begins.log", 1), RecordsToDelete.beforeOffset(1)))
        .all()
        .get();

    assertThat(begins(instance, "since", new Start.Time(old.plusSeconds(60))))
        .containsExactly(1L, 1L);
    assertThat(begins(instance, "late", new Start.Time(NOW.plusSeconds(9_000))))
        .as("after the last record: the end")
        .containsExactly(2L, 3L);
    assertThatThrownBy(() -> instance.create(NAME, Order.SHARD, new Start.Beginning()))
        .isInstanceOf(OperationException.class)
        .hasMessageContaining("begins.log-1 begins at offset 1");
    var whatIsLeft =
        new TriggerSetup(
            NAME,
            Optional.empty(),
            List.of(),
            Order.SHARD,
            new Start.Beginning(),
            true,
            (short) -1);
    assertThat(whatIsLeft.run(instance.site()).partitions())
        .extracting(Creation::begin)
        .containsExactly(0L, 1L);
  }

  @Test
  void the_topic_of_a_column_is_made_and_has_no_beginning_where_the_log_began_before()
      throws Exception {
    var instance = TriggerInstance.create("column");
    instance.log(0, "BASE", 1);
    var beginning = ofColumn(NAME, "BASE", new Start.Beginning());
    assertThatThrownBy(() -> beginning.run(instance.site()))
        .isInstanceOf(OperationException.class)
        .hasMessageContaining(
            "column.trigger.BASE has 0 of the 1 cells that the log holds of shard 0");

    var created = ofColumn(NAME, "BASE", new Start.Now()).run(instance.site()).partitions();

    assertThat(created).hasSize(2);
    assertThat(created.get(0).definition().topic()).isEqualTo("column.trigger.BASE");
    assertThat(created.get(0).definition().columns()).containsExactly("BASE");
    assertThatThrownBy(() -> ofColumn(NAME, "A B", new Start.Now()))
        .hasMessageContaining("topic of column = \"A B\"");
  }

  @Test
  void the_topic_of_a_column_begins_behind_a_rebuild_once_it_has_what_the_log_has()
      throws Exception {
    var instance = TriggerInstance.create("whole");
    var log = instance.site().topics().log();
    var own = instance.site().topics().trigger("BASE");
    ofColumn(NAME, "BASE", new Start.Now()).run(instance.site());
    var beginning = ofColumn(new TriggerName("all"), "BASE", new Start.Beginning());
    instance.write(log, 0, "BASE", 1, 2);
    instance.write(log, 0, "STATUS", 3);
    instance.write(own, 0, "BASE", 2);
    assertThatThrownBy(() -> beginning.run(instance.site()))
        .hasMessageContaining("has 0 of the 2 cells");

    instance.write(log, 0, "BASE", 1, 2);
    instance.write(own, 0, "BASE", 1, 2);

    assertThat(beginning.run(instance.site()).partitions())
        .extracting(Creation::begin)
        .containsExactly(1L, 0L);
    instance.write(log, 0, "BASE", 4);
    assertThat(beginning.run(instance.site()).isNew())
        .as("what is created is not looked at again")
        .isFalse();
  }

  private static Callable<String> creating(
      TriggerInstance instance, TriggerName name, Order order, CyclicBarrier together) {
    return () -> {
      together.await();
      try {
        return instance.create(name, order, new Start.Now()).isNew() ? "created" : "found";
      } catch (OperationException e) {
        return e.kind() == OperationException.Kind.REFUSED ? "refused" : e.getMessage();
      }
    };
  }

  private static TriggerSetup ofColumn(TriggerName name, String column, Start start) {
    return new TriggerSetup(
        name, Optional.of(column), List.of(), Order.SHARD, start, false, (short) -1);
  }

  private static List<Long> begins(TriggerInstance instance, String name, Start start)
      throws InterruptedException {
    return instance.create(new TriggerName(name), Order.SHARD, start).partitions().stream()
        .map(Creation::begin)
        .toList();
  }

  private static List<Creation> creations(TriggerInstance instance) throws InterruptedException {
    return instance.need(NAME).stream()
        .map(TriggerPartition::creation)
        .map(Optional::orElseThrow)
        .toList();
  }
}
