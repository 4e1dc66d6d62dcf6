package io.cellmesh.connect.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.connect.sink.Batch.Range;
import io.cellmesh.storage.IngestTopic;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
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
}
