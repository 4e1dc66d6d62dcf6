package io.cellmesh.operations.trigger;

import static io.cellmesh.operations.trigger.TriggerInstance.NAME;
import static io.cellmesh.operations.trigger.TriggerInstance.NOW;
import static io.cellmesh.operations.trigger.TriggerInstance.REASON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.cellmesh.operations.OperationException;
import io.cellmesh.topics.trigger.Order;
import io.cellmesh.topics.trigger.ParkedRow;
import io.cellmesh.topics.trigger.Request;
import io.cellmesh.topics.trigger.Start;
import io.cellmesh.topics.trigger.StateKey;
import io.cellmesh.topics.trigger.StateRecord;
import io.cellmesh.topics.trigger.TriggerName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What an operator asks of the processes of a trigger, and what is said of it before. */
class TriggerRequestsIT {
  @Test
  void a_rewind_says_which_cells_would_come_again_and_is_asked_of_the_partitions_that_move()
      throws Exception {
    var instance = TriggerInstance.create("rewind");
    instance.create(NAME, Order.SHARD, new Start.Beginning());
    var bases =
        new TriggerSetup(
            new TriggerName("bases"),
            Optional.empty(),
            List.of("BASE"),
            Order.SHARD,
            new Start.Beginning(),
            false,
            (short) -1);
    bases.run(instance.site());
    instance.log(0, "BASE", 4);
    instance.log(0, "STATUS", 2);
    instance.log(1, "STATUS", 3);
    instance.commit(NAME, 5, 0);
    instance.commit(bases.name(), 6, 3);

    var plan = plan(instance, NAME, new Start.Beginning());
    assertThat(plan.count(passed -> {}))
        .as("behind offset 5 nothing has come yet")
        .containsExactly(entry("BASE", 4L), entry("STATUS", 1L));
    assertThat(plan(instance, bases.name(), new Start.Beginning()).count(passed -> {}))
        .containsExactly(entry("BASE", 4L));
    assertThat(instance.need(NAME).get(0).requests()).as("nothing is changed").isEmpty();

    plan.run("ann");
    assertThat(instance.need(NAME).get(0).requests().values())
        .singleElement()
        .isInstanceOfSatisfying(
            Request.Rewind.class,
            asked -> {
              assertThat(asked.offset()).isZero();
              assertThat(asked.by()).isEqualTo("ann");
            });
    assertThat(instance.need(NAME).get(1).requests()).as("it stands there already").isEmpty();
    assertThatThrownBy(() -> plan(instance, NAME, new Start.Offsets(List.of(2L, 1L))))
        .isInstanceOf(OperationException.class)
        .hasMessageContaining("would skip the cells of rewind.log-1 from 0 on");
  }

  @Test
  void what_is_parked_is_shown_by_the_markers_of_its_rows_and_replayed_and_discarded_on_request()
      throws Exception {
    var instance = TriggerInstance.create("parked");
    instance.create(NAME, Order.ROW, new Start.Now());
    var row = instance.row(1, 0);
    var other = instance.row(1, 1);
    var parked = new ArrayList<Long>();
    parked.add(instance.park(NAME, row, 1));
    instance.park(new TriggerName("another"), row, 2);
    parked.add(instance.park(NAME, other, 3));
    parked.add(instance.park(NAME, row, 4));
    parked.add(instance.park(NAME, row, 5));
    // The first of the row was replayed already.
    var marker = new ParkedRow(parked.get(0), parked.get(0) + 1, parked.get(3), 2, NOW, REASON);
    instance.tell(1, StateRecord.of(new StateKey.OfRow(NAME, row), marker));
    var later =
        new ParkedRow(parked.get(1), parked.get(1), parked.get(1), 1, NOW.plusSeconds(1), REASON);
    instance.tell(1, StateRecord.of(new StateKey.OfRow(NAME, other), later));

    var cells = ParkedCells.of(instance.site(), NAME);
    assertThat(cells.rows())
        .containsExactly(new ParkedCells.Row(row, 1, marker), new ParkedCells.Row(other, 1, later));
    assertThat(refs(sink -> cells.read(row, sink))).containsExactly(4L, 5L);
    assertThat(refs(cells::readAll)).containsExactly(3L, 4L, 5L);
    var shown = new ArrayList<ParkedCells.Cell>();
    cells.read(other, shown::add);
    assertThat(shown.get(0).why().reason()).isEqualTo(REASON);
    assertThat(shown.get(0).why().attempts()).isEqualTo(7);

    var requests = new TriggerRequests(instance.site(), NAME, "ann");
    requests.replay(row);
    requests.discard(other);
    assertThat(requests.replayAll()).isEqualTo(2);
    assertThat(instance.need(NAME).get(1).requests().values())
        .extracting(request -> request.getClass().getSimpleName())
        .containsExactly("Replay", "Discard", "ReplayAll");
    assertThat(instance.need(NAME).get(0).requests()).isEmpty();
    assertThatThrownBy(() -> requests.replay(instance.row(0, 0)))
        .isInstanceOf(OperationException.class)
        .hasMessageContaining("is not parked by trigger billing");
  }

  @Test
  void a_pause_stands_in_every_partition_until_it_is_resumed() throws Exception {
    var instance = TriggerInstance.create("paused");
    instance.create(NAME, Order.SHARD, new Start.Now());
    var requests = new TriggerRequests(instance.site(), NAME, "ann");

    assertThat(requests.pause()).isTrue();
    assertThat(new TriggerRequests(instance.site(), NAME, "ben").pause()).as("again").isFalse();
    assertThat(instance.need(NAME))
        .extracting(partition -> partition.pause().orElseThrow().by())
        .containsExactly("ann", "ann");
    assertThat(requests.resume()).isTrue();
    assertThat(instance.need(NAME)).allMatch(partition -> partition.pause().isEmpty());
    assertThat(requests.resume()).as("again").isFalse();
    assertThatThrownBy(
            () -> new TriggerRequests(instance.site(), new TriggerName("none"), "ann").pause())
        .isInstanceOf(OperationException.class)
        .hasMessageContaining("there is no trigger none in dc1");
  }

  private interface Reading {
    void into(Consumer<ParkedCells.Cell> sink);
  }

  private static List<Long> refs(Reading reading) {
    var refs = new ArrayList<Long>();
    reading.into(cell -> refs.add(cell.cell().orElseThrow().cell().key().refKey()));
    return refs;
  }

  private static TriggerRewind plan(TriggerInstance instance, TriggerName name, Start to)
      throws InterruptedException {
    return TriggerRewind.plan(instance.site(), name, to, Optional.empty(), false);
  }
}
