package io.cellmesh.connect.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.storage.IngestTopic;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.Test;

class TurnsTest {
  private static final TopicPartition CELLS = new TopicPartition("trips.cells", 0);
  private static final TopicPartition MESH = new TopicPartition("trips.mesh", 0);
  private static final TopicPartition OTHER_MESH = new TopicPartition("trips.mesh", 1);

  private final PausingContext context = new PausingContext(CELLS, MESH, OTHER_MESH);
  private final Turns turns = new Turns(4, context, TurnsTest::topicOf);

  @Test
  void a_topic_that_has_had_its_turn_stands_back_for_one_poll() {
    turns.next(0, 4);
    assertThat(context.paused).containsExactlyInAnyOrder(MESH, OTHER_MESH);
    assertThat(context.timeout).as("the other one is looked for").isPositive();
    turns.next(0, 0);
    assertThat(context.paused).as("nothing was there of the other").isEmpty();
    turns.next(0, 4);
    assertThat(context.paused).containsExactlyInAnyOrder(MESH, OTHER_MESH);
  }

  @Test
  void own_cells_stand_back_for_the_mesh_as_well() {
    turns.next(5, 0);
    assertThat(context.paused).containsExactly(CELLS);
  }

  @Test
  void of_two_that_had_their_turn_the_one_that_brought_more_stands_back() {
    turns.next(4, 5);
    assertThat(context.paused).containsExactlyInAnyOrder(MESH, OTHER_MESH);
    turns.next(4, 0);
    assertThat(context.paused).as("the turn of the one that stood back").isEmpty();
    turns.next(5, 4);
    assertThat(context.paused).containsExactly(CELLS);
  }

  @Test
  void nobody_stands_back_while_there_is_no_backlog() {
    for (int i = 0; i < 100; i++) {
      turns.next(3, 3);
      assertThat(context.paused).isEmpty();
    }
  }

  @Test
  void a_partition_that_stood_back_when_it_was_taken_away_is_read_when_it_comes_back() {
    turns.next(0, 4);
    context.assigned.remove(OTHER_MESH);
    turns.next(0, 0);
    assertThat(context.paused).as("as Connect has it").containsExactly(OTHER_MESH);
    context.assigned.add(OTHER_MESH);
    turns.opened();
    turns.next(0, 0);
    assertThat(context.paused).isEmpty();
  }

  @Test
  void own_cells_are_written_before_many_of_peers_and_each_stay_in_their_order() {
    var records = records("mcmmcm");
    var parts = Turns.ownFirst(records, 4, TurnsTest::topicOf);
    assertThat(parts).hasSize(2);
    assertThat(parts.get(0)).containsExactly(records.get(1), records.get(4));
    assertThat(parts.get(1))
        .containsExactly(records.get(0), records.get(2), records.get(3), records.get(5));
  }

  @Test
  void a_few_of_peers_go_together_with_own_cells_and_so_does_what_is_of_one_kind() {
    for (var kinds : List.of("mcmmc", "mmmmm", "cccccc", "")) {
      var records = records(kinds);
      assertThat(Turns.ownFirst(records, 4, TurnsTest::topicOf)).containsExactly(records);
    }
  }

  private static IngestTopic topicOf(SinkRecord record) {
    return topicOf(record.topic());
  }

  private static IngestTopic topicOf(String name) {
    return name.equals(MESH.topic()) ? IngestTopic.MESH : IngestTopic.CELLS;
  }

  /** A record for each letter: of the mesh, or an own cell. */
  private static List<SinkRecord> records(String kinds) {
    var records = new ArrayList<SinkRecord>();
    for (char kind : kinds.toCharArray()) {
      var topic = kind == 'm' ? "trips.mesh" : "trips.cells";
      records.add(new SinkRecord(topic, 0, null, null, null, null, records.size()));
    }
    return records;
  }
}
