package io.cellmesh.connect.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.storage.IngestTopic;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.Test;

class TurnsTest {
  private final Turns turns = new Turns(4);

  @Test
  void a_topic_that_has_had_its_turn_stands_back_for_one_poll() {
    assertThat(next(records("mmmm"))).contains(IngestTopic.MESH);
    assertThat(turns.back()).contains(IngestTopic.MESH);
    assertThat(next(records(""))).as("nothing was there of the other").isEmpty();
    assertThat(turns.back()).isEmpty();
    assertThat(next(records("mmmm"))).contains(IngestTopic.MESH);
  }

  @Test
  void own_cells_stand_back_for_the_mesh_as_well() {
    assertThat(next(records("ccccc"))).contains(IngestTopic.CELLS);
  }

  @Test
  void of_two_that_had_their_turn_the_one_that_brought_more_stands_back() {
    assertThat(next(records("ccccmmmmm"))).contains(IngestTopic.MESH);
    assertThat(next(records("cccc"))).as("the turn of the one that stood back").isEmpty();
    assertThat(next(records("cccccmmmm"))).contains(IngestTopic.CELLS);
  }

  @Test
  void nobody_stands_back_while_there_is_no_backlog() {
    for (int i = 0; i < 100; i++) {
      assertThat(next(records("mcmcmc"))).isEmpty();
    }
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

  private Optional<IngestTopic> next(List<SinkRecord> records) {
    return turns.next(records, TurnsTest::topicOf);
  }

  private static IngestTopic topicOf(SinkRecord record) {
    return record.topic().equals("trips.mesh") ? IngestTopic.MESH : IngestTopic.CELLS;
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
