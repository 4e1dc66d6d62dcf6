package io.cellmesh.herb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class KeptBackTest {
  /** What the sink has passed. */
  private final Map<Integer, Long> sink = new TreeMap<>(Map.of(0, 0L, 1, 0L));

  private final MockProducer<byte[], byte[]> mesh =
      new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
  private final MeshWindow window =
      new MeshWindow("trips.mesh", 2, new KnownPlace(sink), Map.of(), System::nanoTime);
  private final KeptBack kept = new KeptBack(window, new MeshWriter(mesh, window)::write);

  @Test
  void what_has_room_is_written_at_once() {
    write(0, 10);
    write(0, 11);
    assertThat(written(0)).containsExactly(10, 11);
    assertThat(kept.partitions()).isEmpty();
    assertThat(kept.first(0)).isEmpty();
  }

  @Test
  void a_full_partition_keeps_no_other_back() {
    for (int offset = 10; offset < 14; offset++) {
      write(0, offset);
    }
    write(1, 20);
    assertThat(written(1)).containsExactly(20);
    assertThat(kept.partitions()).containsExactly(0);
    assertThat(kept.first(0)).hasValue(12);
    assertThat(kept.bytes(List.of(0))).isEqualTo(2);
    assertThat(kept.bytes(List.of(1))).isZero();
  }

  @Test
  void what_waits_is_written_as_far_as_there_is_room() {
    for (int offset = 10; offset < 14; offset++) {
      write(0, offset);
    }
    sink.put(0, 1L);
    kept.release();
    assertThat(written(0)).containsExactly(10, 11, 12);
    assertThat(kept.first(0)).hasValue(13);
    sink.put(0, 3L);
    kept.release();
    assertThat(written(0)).containsExactly(10, 11, 12, 13);
    assertThat(kept.partitions()).isEmpty();
  }

  @Test
  void what_comes_when_there_is_room_again_stays_behind_what_waits() {
    for (int offset = 10; offset < 13; offset++) {
      write(0, offset);
    }
    sink.put(0, 2L);
    write(0, 13);
    assertThat(written(0)).containsExactly(10, 11);
    kept.release();
    assertThat(written(0)).containsExactly(10, 11, 12, 13);
  }

  private void write(int partition, int offset) {
    kept.write(
        partition,
        offset,
        new ProducerRecord<>("trips.mesh", partition, null, new byte[] {(byte) offset}));
  }

  private List<Integer> written(int partition) {
    return mesh.history().stream()
        .filter(record -> record.partition() == partition)
        .map(record -> (int) record.value()[0])
        .toList();
  }
}
