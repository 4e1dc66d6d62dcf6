package io.cellmesh.connect.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.connect.sink.Batch.Range;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.OffsetCell;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.Test;

class BatchTest {
  private static final TopicPartition CELLS = new TopicPartition("trips.cells", 3);
  private static final TopicPartition MESH = new TopicPartition("trips.mesh", 3);

  private final Batch batch =
      new Batch(
          List.of(new Range(CELLS, IngestTopic.CELLS), new Range(MESH, IngestTopic.MESH)),
          List.of());

  @Test
  void what_is_read_again_from_elsewhere_is_left_out_and_nothing_else() {
    assertThat(batch.without(Set.of(CELLS)).ranges()).extracting(Range::at).containsExactly(MESH);
    assertThat(batch.without(Set.of())).isSameAs(batch);
  }

  @Test
  void the_cells_from_an_offset_on_are_that_one_and_all_behind_it() {
    var range = new Range(CELLS, IngestTopic.CELLS);
    for (long offset = 5; offset < 9; offset++) {
      range.add("c1", offset, 0, null);
    }
    assertThat(range.cells("c1", 7)).extracting(OffsetCell::offset).containsExactly(7L, 8L);
    assertThat(range.cells("c1", 9)).isEmpty();
    assertThat(range.cells("c2", 0)).isEmpty();
  }

  @Test
  void a_range_ends_behind_its_last_record() {
    var range = new Range(CELLS, IngestTopic.CELLS);
    for (long offset : List.of(5L, 8L)) {
      range.seen(new SinkRecord("trips.cells", 3, null, new byte[1], null, new byte[1], offset));
    }
    assertThat(range.first()).isEqualTo(5);
    assertThat(range.end().next()).isEqualTo(9);
  }
}
