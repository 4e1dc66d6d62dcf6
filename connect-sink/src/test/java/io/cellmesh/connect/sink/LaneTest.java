package io.cellmesh.connect.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.ShardSet;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.Mark;
import io.cellmesh.storage.Position;
import java.util.List;
import org.junit.jupiter.api.Test;

class LaneTest {
  private static final IngestTopic CELLS = IngestTopic.CELLS;

  private final Lane lane =
      new Lane(
          new StorageCluster("c1", ShardSet.parse("0-31"), 1, new Server("h", 1, "d"), List.of()),
          3);

  @Test
  void a_lane_whose_position_has_reached_the_first_record_is_ready() {
    lane.found(at(100, 0));
    lane.begin(CELLS, 100);
    lane.startBatch(CELLS);
    assertThat(lane.readyForBatch(CELLS)).isTrue();
    assertThat(lane.behind()).isFalse();
  }

  @Test
  void what_the_entity_tables_have_already_is_not_copied_again() {
    lane.found(at(120, 0));
    lane.begin(CELLS, 100);
    assertThat(lane.copied(CELLS)).isEqualTo(120);
  }

  @Test
  void a_new_owner_whose_primary_lacks_earlier_cells_is_behind() {
    lane.found(at(80, 0));
    lane.begin(CELLS, 100);
    lane.startBatch(CELLS);
    assertThat(lane.readyForBatch(CELLS)).isFalse();
    assertThat(lane.behind(CELLS)).isTrue();
  }

  @Test
  void a_lane_is_behind_while_its_primary_cannot_be_asked() {
    lane.begin(CELLS, 100);
    lane.startBatch(CELLS);
    assertThat(lane.readyForBatch(CELLS)).isFalse();
    assertThat(lane.behind(CELLS)).isTrue();
  }

  @Test
  void cells_copied_but_not_applied_keep_the_lane_behind_until_they_are() {
    lane.found(at(100, 0));
    lane.begin(CELLS, 100);
    lane.startBatch(CELLS);
    lane.copied(CELLS, 150);
    assertThat(lane.behind(CELLS)).isTrue();
    lane.startBatch(CELLS);
    assertThat(lane.readyForBatch(CELLS)).isFalse();
    lane.found(at(150, 0));
    assertThat(lane.behind(CELLS)).isFalse();
  }

  @Test
  void a_position_that_went_back_after_a_promotion_puts_the_lane_behind() {
    lane.found(at(100, 0));
    lane.begin(CELLS, 100);
    lane.copied(CELLS, 150);
    lane.found(at(150, 0));
    lane.found(at(130, 0));
    assertThat(lane.behind(CELLS)).isTrue();
    assertThat(lane.applied(CELLS)).isEqualTo(130);
    assertThat(lane.copied(CELLS)).isEqualTo(150);
  }

  @Test
  void a_position_that_another_writer_advanced_is_never_claimed_by_a_copy() {
    lane.found(at(100, 0));
    lane.begin(CELLS, 100);
    lane.found(at(170, 0));
    assertThat(lane.copied(CELLS)).isEqualTo(170);
  }

  @Test
  void a_rewound_lane_waits_for_the_records_from_its_position() {
    lane.found(at(80, 0));
    lane.begin(CELLS, 100);
    lane.rewind(CELLS);
    assertThat(lane.rewinding(CELLS)).isTrue();
    assertThat(lane.behind(CELLS)).isFalse();
    assertThat(lane.copied(CELLS)).isEqualTo(80);
    lane.startBatch(CELLS);
    assertThat(lane.readyForBatch(CELLS)).isTrue();
  }

  @Test
  void a_rewound_lane_is_well_again_when_the_buffers_had_it_after_all() {
    lane.found(at(80, 0));
    lane.begin(CELLS, 100);
    lane.rewind(CELLS);
    assertThat(lane.target(CELLS)).hasValue(100);
    lane.found(at(90, 0));
    assertThat(lane.rewinding(CELLS)).isTrue();
    lane.found(at(100, 0));
    assertThat(lane.rewinding(CELLS)).isFalse();
    assertThat(lane.target(CELLS)).isEmpty();
  }

  @Test
  void an_idle_lane_whose_primary_cannot_be_asked_says_so_by_copies() {
    lane.found(at(100, 0));
    lane.begin(CELLS, 100);
    assertThat(lane.needsCopies(CELLS)).isFalse();
    lane.forgetPosition();
    assertThat(lane.needsCopies(CELLS)).isTrue();
  }

  @Test
  void the_two_topics_of_a_partition_go_their_own_ways() {
    lane.found(at(100, 5));
    lane.begin(CELLS, 100);
    lane.begin(IngestTopic.MESH, 9);
    assertThat(lane.behind(CELLS)).isFalse();
    assertThat(lane.behind(IngestTopic.MESH)).isTrue();
  }

  @Test
  void a_lane_that_is_told_to_rewind_once_more_still_knows_up_to_where_it_had_cells() {
    lane.found(at(100, 0));
    lane.begin(CELLS, 100);
    lane.copied(CELLS, 200);
    lane.found(at(50, 0));
    lane.rewind(CELLS);
    lane.rewind(CELLS);
    lane.startBatch(CELLS);
    assertThat(lane.rewound(CELLS)).as("50 to 200 have not come").isTrue();
    assertThat(lane.copied(CELLS)).isEqualTo(50);
  }

  @Test
  void a_lane_that_rewinds_again_in_the_midst_still_wants_all_that_it_had() {
    lane.found(at(100, 0));
    lane.begin(CELLS, 100);
    lane.copied(CELLS, 200);
    lane.found(at(50, 0));
    lane.rewind(CELLS);
    lane.startBatch(CELLS);
    lane.copied(CELLS, 70);
    lane.found(at(60, 0));
    lane.rewind(CELLS);
    lane.startBatch(CELLS);
    lane.copied(CELLS, 199);
    assertThat(lane.rewound(CELLS)).isTrue();
    lane.copied(CELLS, 200);
    assertThat(lane.rewound(CELLS)).isFalse();
  }

  private static Position at(long cells, long mesh) {
    return new Position(new Mark(cells, 7), new Mark(mesh, 7));
  }
}
