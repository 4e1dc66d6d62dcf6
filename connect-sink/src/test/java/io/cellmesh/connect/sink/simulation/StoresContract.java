package io.cellmesh.connect.sink.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.Origin;
import io.cellmesh.cell.ShardSet;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.BufferStore;
import io.cellmesh.storage.BufferTable.CopyHeader;
import io.cellmesh.storage.BufferTable.Ends;
import io.cellmesh.storage.BufferTable.Reapable;
import io.cellmesh.storage.BufferTable.UpTo;
import io.cellmesh.storage.ConflictLedger;
import io.cellmesh.storage.Copy;
import io.cellmesh.storage.Decision;
import io.cellmesh.storage.Decision.Place;
import io.cellmesh.storage.EntityTransaction.Result;
import io.cellmesh.storage.EntityTransaction.Write;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.Mark;
import io.cellmesh.storage.NodeUnavailableException;
import io.cellmesh.storage.OffsetCell;
import io.cellmesh.storage.Position;
import io.cellmesh.storage.PrimaryStore;
import io.cellmesh.storage.Refusals;
import io.cellmesh.storage.RefusedRecord;
import io.cellmesh.storage.StaleEpochException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.connect.errors.RetriableException;
import org.junit.jupiter.api.Test;

/**
 * What the simulation's servers and real ones do alike: so the model can't drift from MySQL. Two
 * clusters, c1 with the shards 0 to 2, and two partitions.
 */
abstract class StoresContract {
  static final Duration ANSWER = Duration.ofSeconds(3);
  private static final Position START = Position.START;
  private static final Position FAR =
      new Position(new Mark(Long.MAX_VALUE, 0), new Mark(Long.MAX_VALUE, 0));

  /** What is compared, over tables that are empty. */
  record Stores(
      Topology topology, PrimaryStore primaries, BufferStore buffers, ConflictLedger ledger) {
    StorageCluster c1() {
      return topology.cluster("c1");
    }

    StorageCluster c2() {
      return topology.cluster("c2");
    }

    Result write(Position expected, Position next, OffsetCell... cells) throws Exception {
      return write(c1(), expected, next, () -> {}, cells);
    }

    Result write(
        StorageCluster primary,
        Position expected,
        Position next,
        Runnable beforeCommit,
        OffsetCell... cells)
        throws Exception {
      var write = new Write(0, expected, next, Map.of(IngestTopic.CELLS, List.of(cells)));
      return primaries.write(primary, List.of(write), new Places(), beforeCommit);
    }

    Position position() throws Exception {
      return primaries.positions(c1(), List.of(0)).get(0);
    }

    /** How many went of each primary, in their order. */
    List<Integer> reap(int limit, Reapable... reapable) throws Exception {
      var went = buffers.reap(c2(), List.of(reapable), limit);
      return Stream.of(reapable).map(one -> went.get(one.primary().name())).toList();
    }

    void hold(long previous, long next, OffsetCell... cells) throws Exception {
      buffers.insert(c2(), Map.of(c1(), List.of(copy(previous, next, cells))), ANSWER);
    }
  }

  /** What is done with the stores. */
  interface Case {
    void on(Stores stores) throws Exception;
  }

  /** Does something with stores over fresh tables. */
  abstract void with(Case one) throws Throwable;

  @Test
  void a_transaction_takes_the_position_along_and_says_what_it_stored() throws Throwable {
    with(
        s -> {
          assertThat(s.position()).isEqualTo(START);
          assertThat(outcome(s.write(START, cells(2), cell(0, 1, "1"), cell(1, 2, "1"))))
              .isEqualTo("2 stored, 0 duplicates, 0 conflicts");
          assertThat(s.position()).isEqualTo(cells(2));
          assertThat(s.primaries().positions(s.c1(), List.of(0, 1)))
              .isEqualTo(Map.of(0, cells(2), 1, START));
        });
  }

  @Test
  void a_writer_that_remembers_another_position_changes_nothing_and_is_told() throws Throwable {
    with(
        s -> {
          s.write(START, cells(2), cell(0, 1, "1"));
          assertThat(s.write(cells(1), cells(3), cell(2, 3, "1")))
              .isEqualTo(new Result.Moved(Map.of(0, cells(2))));
          assertThat(s.position()).isEqualTo(cells(2));
          assertThat(outcome(s.write(cells(2), cells(3), cell(2, 3, "1")))).startsWith("1 stored");
        });
  }

  @Test
  void what_is_thrown_before_the_commit_undoes_everything() throws Throwable {
    with(
        s -> {
          assertThatThrownBy(
                  () ->
                      s.write(
                          s.c1(),
                          START,
                          cells(1),
                          () -> {
                            throw new RetriableException("no copy");
                          },
                          cell(0, 1, "1")))
              .isInstanceOf(RetriableException.class);
          assertThat(s.position()).isEqualTo(START);
          assertThat(outcome(s.write(START, cells(1), cell(0, 1, "1")))).startsWith("1 stored");
        });
  }

  @Test
  void an_equal_cell_is_a_duplicate_and_another_one_a_conflict_that_is_written_down_once()
      throws Throwable {
    with(
        s -> {
          s.write(START, cells(1), cell(0, 1, "1"));
          var again = cell(1, 1, "1");
          var other = cell(2, 1, "2");
          assertThat(outcome(s.write(cells(1), cells(4), again, other, cell(3, 2, "1"))))
              .isEqualTo("1 stored, 1 duplicates, 1 conflicts");
          var untold = s.ledger().untold(s.c1(), Map.of(0, FAR), 10);
          assertThat(untold.stream().map(StoresContract::words))
              .containsExactly("0 CELLS 2 1 dc1 dc1");
          assertThat(untold.get(0).kept()).isEqualTo(Body.ofJson("1").digest());
          assertThat(untold.get(0).refused()).isEqualTo(Body.ofJson("2").digest());
          assertThat(untold.get(0).record().orElseThrow().timestamp()).isEqualTo(7);
          // The position was set back by hand, or by a promotion.
          assertThat(outcome(s.write(cells(4), cells(5), other)))
              .isEqualTo("0 stored, 0 duplicates, 1 conflicts");
          assertThat(s.ledger().countUntold(s.c1())).isEqualTo(1);
        });
  }

  @Test
  void cells_that_meet_in_one_transaction_are_judged_in_their_order() throws Throwable {
    with(
        s -> {
          var first = cell(0, 1, "1");
          assertThat(outcome(s.write(START, cells(3), first, cell(1, 1, "2"), cell(2, 1, "1"))))
              .isEqualTo("1 stored, 1 duplicates, 1 conflicts");
        });
  }

  @Test
  void the_origin_of_what_met_is_told() throws Throwable {
    with(
        s -> {
          s.write(START, cells(1), cell(0, 1, "1"));
          var foreign = cell(1, 1, "2", Optional.of(new Origin("dc2", 9)));
          s.write(cells(1), cells(2), foreign);
          assertThat(
                  s.ledger().untold(s.c1(), Map.of(0, FAR), 10).stream().map(StoresContract::words))
              .containsExactly("0 CELLS 1 1 dc1 dc2");
        });
  }

  @Test
  void conflicts_are_found_up_to_a_position_and_told_once() throws Throwable {
    with(
        s -> {
          s.write(START, cells(4), cell(0, 1, "1"), cell(1, 1, "2"), cell(2, 1, "3"));
          var ledger = s.ledger();
          assertThat(ledger.untold(s.c1(), Map.of(0, cells(2)), 10)).hasSize(1);
          assertThat(ledger.untold(s.c1(), Map.of(1, FAR), 10)).isEmpty();
          assertThat(ledger.untold(s.c1(), Map.of(0, FAR), 1)).hasSize(1);
          var places = List.of(new Places().place(1), new Places().place(3));
          assertThat(ledger.decided(s.c1().master(), places)).containsExactly(places.get(0));
          ledger.told(s.c1(), places);
          assertThat(ledger.countUntold(s.c1())).isEqualTo(1);
          assertThat(ledger.decided(s.c1().master(), places)).containsExactly(places.get(0));
          assertThat(ledger.untold(s.c1(), Map.of(0, FAR), 10).stream().map(StoresContract::words))
              .containsExactly("0 CELLS 2 1 dc1 dc1");
        });
  }

  @Test
  void a_map_of_another_epoch_writes_nothing_anywhere() throws Throwable {
    with(
        s -> {
          s.hold(0, 2);
          assertThat(s.buffers().raiseEpoch(s.c2(), epoch(s.c1(), 2), ANSWER)).isTrue();
          assertThat(s.buffers().raiseEpoch(s.c2(), epoch(s.c1(), 2), ANSWER)).isFalse();
          assertThat(s.buffers().raiseEpoch(s.c2(), s.c1(), ANSWER)).isFalse();
          assertThatThrownBy(() -> s.hold(2, 4)).isInstanceOf(StaleEpochException.class);
          assertThat(s.reap(9, reapable(s.c1(), upTo(IngestTopic.CELLS, 0, 9)))).containsExactly(0);
          assertThat(held(s, 0, 9)).hasSize(1);
          assertThatThrownBy(() -> s.write(epoch(s.c1(), 2), START, cells(1), () -> {}))
              .isInstanceOf(StaleEpochException.class);
          assertThat(s.position()).isEqualTo(START);
        });
  }

  @Test
  void copies_are_found_by_their_ends_and_opened_by_their_ids() throws Throwable {
    with(
        s -> {
          s.hold(0, 4, cell(1, 1, "1"), cell(3, 2, "1"));
          s.hold(4, 6);
          s.hold(2, 6, cell(3, 2, "1"));
          s.hold(6, 9, cell(7, 3, "1"));
          assertThat(held(s, 4, 9).stream().map(h -> h.previous() + "-" + h.end().next()))
              .containsExactly("2-6", "4-6", "6-9");
          assertThat(held(s, 4, 2)).hasSize(2);
          assertThat(held(s, 9, 9)).isEmpty();
          var first = held(s, 0, 1).get(0);
          assertThat(first.cells()).isEqualTo(2);
          assertThat(first.end()).isEqualTo(new Mark(4, 4));
          var cells = s.buffers().cells(s.c2(), List.of(first.id(), Long.MAX_VALUE));
          assertThat(cells.keySet()).containsExactly(first.id());
          assertThat(
                  cells.get(first.id()).stream()
                      .map(c -> c.offset() + ":" + c.cell().key().refKey()))
              .containsExactly("1:1", "3:2");
          assertThat(s.buffers().ends(s.c2()))
              .containsExactly(new Ends("c1", IngestTopic.CELLS, 0, 4, 9));
          assertThat(s.buffers().ends(s.c1())).isEmpty();
        });
  }

  @Test
  void copies_go_that_end_at_an_offset_or_before_it_the_first_ones_first() throws Throwable {
    with(
        s -> {
          s.hold(0, 4);
          s.hold(4, 5);
          s.hold(5, 6);
          assertThat(s.reap(9, reapable(s.c1(), upTo(IngestTopic.MESH, 0, 9)))).containsExactly(0);
          assertThat(s.reap(9, reapable(s.c1(), upTo(IngestTopic.CELLS, 1, 9)))).containsExactly(0);
          assertThat(s.reap(9, reapable(s.c1(), upTo(IngestTopic.CELLS, 0, 3)))).containsExactly(0);
          assertThat(s.reap(1, reapable(s.c1(), upTo(IngestTopic.CELLS, 0, 5)))).containsExactly(1);
          assertThat(held(s, 0, 9)).hasSize(2);
          assertThat(s.reap(9, reapable(s.c1(), upTo(IngestTopic.CELLS, 0, 5)))).containsExactly(1);
          assertThat(held(s, 0, 9).stream().map(h -> h.end().next())).containsExactly(6L);
        });
  }

  @Test
  void copies_of_several_primaries_topics_and_partitions_go_in_one_transaction() throws Throwable {
    with(
        s -> {
          holdOfAll(s);
          var before = s.primaries().reached(s.c2().master(), List.of(0)).executed();
          assertThat(
                  s.reap(
                      9,
                      reapable(
                          s.c1(),
                          upTo(IngestTopic.MESH, 1, 5),
                          upTo(IngestTopic.CELLS, 0, 5),
                          upTo(IngestTopic.CELLS, 1, 4)),
                      reapable(s.c2(), upTo(IngestTopic.CELLS, 0, 5))))
              .containsExactly(5, 2);
          assertThat(ends(s))
              .containsExactly(
                  "c1/0/CELLS 6-6", "c1/1/CELLS 5-6", "c1/1/MESH 6-6", "c2/0/CELLS 6-6");
          var after = s.primaries().reached(s.c2().master(), List.of(0)).executed();
          assertThat(after.without(before).count()).isEqualTo(1);
        });
  }

  @Test
  void another_epoch_of_one_primary_keeps_none_of_the_others_copies() throws Throwable {
    with(
        s -> {
          holdOfAll(s);
          var upTo = upTo(IngestTopic.CELLS, 0, 5);
          var newer = reapable(epoch(s.c1(), 2), upTo);
          assertThat(s.reap(1, newer, reapable(s.c2(), upTo))).containsExactly(0, 1);
          s.buffers().raiseEpoch(s.c2(), epoch(s.c1(), 3), ANSWER);
          assertThat(s.reap(1, newer, reapable(s.c2(), upTo))).containsExactly(0, 1);
          assertThat(ends(s)).contains("c1/0/CELLS 4-6", "c2/0/CELLS 6-6");
        });
  }

  @Test
  void of_each_primary_no_more_copies_go_than_asked_for_those_first_that_end_first()
      throws Throwable {
    with(
        s -> {
          holdOfAll(s);
          var one = reapable(s.c1(), upTo(IngestTopic.MESH, 1, 6), upTo(IngestTopic.CELLS, 0, 6));
          var two = reapable(s.c2(), upTo(IngestTopic.CELLS, 0, 6));
          assertThat(s.reap(2, one, two)).containsExactly(2, 2);
          assertThat(ends(s)).contains("c1/0/CELLS 6-6", "c1/1/MESH 4-6", "c2/0/CELLS 6-6");
          assertThat(s.reap(2, one, two)).containsExactly(2, 1);
          assertThat(s.reap(2, one, two)).containsExactly(2, 0);
          assertThat(ends(s)).containsExactly("c1/1/CELLS 4-6");
        });
  }

  @Test
  void a_server_that_is_far_has_the_transactions_that_it_committed() throws Throwable {
    with(
        s -> {
          var before = s.primaries().reached(s.c1().master(), List.of(0));
          s.write(START, cells(1), cell(0, 1, "1"));
          var after = s.primaries().reached(s.c1().master(), List.of(0));
          assertThat(after.uuid()).isEqualTo(before.uuid());
          assertThat(after.positions()).isEqualTo(Map.of(0, cells(1)));
          assertThat(before.executed().without(after.executed()).isEmpty()).isTrue();
          assertThat(after.executed().without(before.executed()).count()).isEqualTo(1);
        });
  }

  /** Three copies in four places of c2's buffer, which does not ask whose copies it holds. */
  private static void holdOfAll(Stores s) throws Exception {
    for (long end = 4; end <= 6; end++) {
      var mark = new Mark(end, end);
      var first = new Copy("c1", IngestTopic.CELLS, 0, end - 1, mark, List.of());
      var second = new Copy("c1", IngestTopic.CELLS, 1, end - 1, mark, List.of());
      var third = new Copy("c1", IngestTopic.MESH, 1, end - 1, mark, List.of());
      s.buffers().insert(s.c2(), Map.of(s.c1(), List.of(first, second, third)), ANSWER);
      var fourth = new Copy("c2", IngestTopic.CELLS, 0, end - 1, mark, List.of());
      s.buffers().insert(s.c2(), Map.of(s.c2(), List.of(fourth)), ANSWER);
    }
  }

  private static List<String> ends(Stores s) throws Exception {
    return s.buffers().ends(s.c2()).stream()
        .map(
            e ->
                "%s/%d/%s %d-%d"
                    .formatted(e.primary(), e.partition(), e.topic(), e.first(), e.last()))
        .sorted()
        .toList();
  }

  private static Reapable reapable(StorageCluster primary, UpTo... upTo) {
    return new Reapable(primary, List.of(upTo));
  }

  private static UpTo upTo(IngestTopic topic, int partition, long offset) {
    return new UpTo(topic, partition, offset);
  }

  private static List<CopyHeader> held(Stores s, long after, int limit)
      throws java.sql.SQLException, NodeUnavailableException {
    return s.buffers().held(s.c2(), s.c1(), IngestTopic.CELLS, 0, after, limit);
  }

  private static String outcome(Result result) {
    var outcome = ((Result.Applied) result).outcome();
    return "%d stored, %d duplicates, %d conflicts"
        .formatted(outcome.stored(), outcome.duplicates(), outcome.conflicts().size());
  }

  private static String words(Decision d) {
    return "%d %s %d %d %s %s"
        .formatted(
            d.place().partition(),
            d.topic(),
            d.place().offset(),
            d.key().refKey(),
            d.keptOrigin(),
            d.refusedOrigin());
  }

  private static StorageCluster epoch(StorageCluster cluster, int epoch) {
    return new StorageCluster(
        cluster.name(), cluster.shards(), epoch, cluster.master(), cluster.minions());
  }

  static ShardSet shards(int first, int last) {
    return ShardSet.parse(first + "-" + last);
  }

  private static Position cells(long next) {
    return new Position(new Mark(next, next), Mark.START);
  }

  private static Copy copy(long previous, long next, OffsetCell... cells) {
    return new Copy("c1", IngestTopic.CELLS, 0, previous, new Mark(next, next), List.of(cells));
  }

  private static OffsetCell cell(long offset, long ref, String body) {
    return cell(offset, ref, body, Optional.empty());
  }

  private static OffsetCell cell(long offset, long ref, String body, Optional<Origin> origin) {
    try {
      var key = new CellKey(new UUID(1, 1), "BASE", ref);
      return new OffsetCell(offset, 0, new Cell(key, Body.ofJson(body), origin));
    } catch (InvalidCellException e) {
      throw new AssertionError(e);
    }
  }

  /** Keeps a record of each cell. */
  private static final class Places implements Refusals {
    Place place(long offset) {
      return new Place(new UUID(7, 7), 0, offset);
    }

    @Override
    public Place place(IngestTopic topic, int partition, OffsetCell cell) {
      return place(cell.offset());
    }

    @Override
    public Optional<RefusedRecord> record(
        IngestTopic topic, int partition, OffsetCell cell, long room) {
      return Optional.of(new RefusedRecord(new byte[] {1}, new byte[] {2}, List.of(), 7));
    }

    @Override
    public void misfit(
        IngestTopic topic, int partition, OffsetCell cell, InvalidCellException reason) {
      throw new AssertionError(reason);
    }
  }
}
