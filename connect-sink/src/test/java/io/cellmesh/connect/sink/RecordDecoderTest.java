package io.cellmesh.connect.sink;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Topology;
import io.cellmesh.connect.sink.base.MetricsHome;
import io.cellmesh.connect.sink.base.ModelledRejections;
import io.cellmesh.storage.Packet;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RecordDecoderTest {
  private static final String ROW = "3fa85f64-5717-4562-b3fc-2c963f66afa6";

  private final Topology topology = TwoClusters.TOPOLOGY;
  private final int shard = topology.shards().of(ROW);
  private final int partition = topology.shards().partitionOf(shard);
  private final ModelledRejections kafka = new ModelledRejections();
  private final SinkMetrics metrics = new SinkMetrics(MetricsHome.nowhere(), topology);
  private final RecordDecoder decoder =
      new RecordDecoder(topology, 1 << 20, kafka.rejections(), metrics);

  @AfterEach
  void close() {
    decoder.close();
    metrics.close();
  }

  @Test
  void a_cell_goes_to_the_primary_of_its_shard_with_its_offset() {
    assertThat(cells(record("trips.cells", partition, 7, CELL))).containsExactly(7L);
    assertThat(kafka.told()).isEmpty();
  }

  @Test
  void a_record_in_any_other_partition_is_rejected_with_the_partitioner_to_set() {
    for (int other = 0; other < topology.shards().partitions(); other++) {
      if (other != partition) {
        assertThat(cells(record("trips.cells", other, 7, CELL))).as("in %d", other).isEmpty();
        assertThat(reason())
            .contains("in partition " + other, "belongs into " + partition)
            .contains("partitioner=murmur2_random");
      }
    }
    assertThat(kafka.told()).hasSize(topology.shards().partitions() - 1);
  }

  @Test
  void a_cell_of_this_data_centre_does_not_come_back_through_the_mesh() {
    assertThat(cells(record("trips.mesh", partition, 7, of("dc1")))).isEmpty();
    assertThat(reason()).contains("this data centre's own cells don't come through the mesh");
    assertThat(cells(record("trips.mesh", partition, 8, of("dc2")))).containsExactly(8L);
  }

  @Test
  void unless_it_was_lost_here_and_is_brought_back_by_somebody_who_says_so() {
    var restored = record("trips.mesh", partition, 7, of("dc1"));
    restored.headers().addBytes("restored", new byte[0]);
    assertThat(cells(restored)).containsExactly(7L);
    assertThat(kafka.told()).isEmpty();
  }

  @Test
  void a_batch_that_comes_again_is_not_told_again_and_one_of_a_new_owner_is() {
    cells(record("trips.cells", partition, 7, "no cell"));
    cells(record("trips.cells", partition, 7, "no cell"));
    assertThat(kafka.told()).hasSize(1);
    cells(record("trips.cells", partition, 8, "no cell"));
    assertThat(kafka.told()).hasSize(2);
    decoder.forget(new TopicPartition("trips.cells", partition));
    cells(record("trips.cells", partition, 7, "no cell"));
    assertThat(kafka.told()).hasSize(3);
  }

  @Test
  void a_piece_is_bounded_with_the_headers_of_its_records_which_the_ledger_may_have_to_keep() {
    var first = record("trips.cells", partition, 7, CELL);
    var second = record("trips.cells", partition, 8, CELL);
    var both = List.of(first, second);
    assertThat(RecordDecoder.pieces(both)).containsExactly(both);
    second.headers().addBytes("baggage", new byte[(int) Packet.BATCH]);
    assertThat(RecordDecoder.pieces(both)).containsExactly(List.of(first), List.of(second));
  }

  /** Of each the ledger keeps more than Kafka counts, were it only that there is nothing. */
  @Test
  void headers_without_a_name_or_a_value_and_those_with_names_of_large_letters_count_too() {
    var first = record("trips.cells", partition, 7, CELL);
    var second = record("trips.cells", partition, 8, CELL);
    for (int i = 0; i < Packet.BATCH / 8; i++) {
      second.headers().addBytes("", null);
    }
    var third = record("trips.cells", partition, 9, CELL);
    third.headers().addBytes("\u4e16".repeat((int) Packet.BATCH / 3), null);
    assertThat(RecordDecoder.pieces(List.of(first, second, third)))
        .containsExactly(List.of(first), List.of(second), List.of(third));
  }

  /** The offsets of the cells that the shard's primary gets of a record. */
  private List<Long> cells(SinkRecord record) {
    var batch = decoder.ranges(List.of(record));
    decoder.read(batch);
    return batch.ranges().iterator().next().cells(topology.clusterOf(shard).name(), 0).stream()
        .map(cell -> cell.offset())
        .toList();
  }

  private String reason() {
    var last = kafka.told().get(kafka.told().size() - 1);
    return new String(
        last.headers().lastHeader("__connect.errors.exception.message").value(), UTF_8);
  }

  private static SinkRecord record(String topic, int partition, long offset, String value) {
    return new SinkRecord(
        topic, partition, null, ROW.getBytes(UTF_8), null, value.getBytes(UTF_8), offset);
  }

  private static String of(String origin) {
    return CELL.replace("}}", "},\"origin\":\"" + origin + "\",\"origin_id\":1}");
  }

  private static final String CELL =
      """
      {"row_key":"%s","column_name":"BASE","ref_key":1,"body":{"fare":3}}\
      """
          .formatted(ROW);
}
