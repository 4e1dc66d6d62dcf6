package io.cellmesh.connect.sink.simulation;

import static io.cellmesh.connect.sink.simulation.Stores.ANSWER;
import static io.cellmesh.connect.sink.simulation.Stores.START;
import static io.cellmesh.connect.sink.simulation.Stores.cell;
import static io.cellmesh.connect.sink.simulation.Stores.cells;
import static io.cellmesh.connect.sink.simulation.Stores.epoch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.BufferTable.CopyHeader;
import io.cellmesh.storage.BufferTable.Ends;
import io.cellmesh.storage.BufferTable.Reapable;
import io.cellmesh.storage.BufferTable.UpTo;
import io.cellmesh.storage.Copy;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.Mark;
import io.cellmesh.storage.NodeUnavailableException;
import io.cellmesh.storage.StaleEpochException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What secondaries do with copies. */
interface BufferStoreContract extends StoresContract {
  @Test
  default void a_map_of_another_epoch_writes_nothing_anywhere() throws Throwable {
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
  default void copies_are_found_by_their_ends_and_opened_by_their_ids() throws Throwable {
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
  default void copies_go_that_end_at_an_offset_or_before_it_the_first_ones_first()
      throws Throwable {
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
  default void copies_of_several_primaries_topics_and_partitions_go_in_one_transaction()
      throws Throwable {
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
  default void another_epoch_of_one_primary_keeps_none_of_the_others_copies() throws Throwable {
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
  default void of_each_primary_no_more_copies_go_than_asked_for_those_first_that_end_first()
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
}
