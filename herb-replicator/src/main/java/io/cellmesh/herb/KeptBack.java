package io.cellmesh.herb;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Writes what came over HTTP, and keeps back what came for a partition whose window is full: all
 * partitions come on one stream, and one that waits must not stop the others. Each partition stays
 * in its order. One thread at a time.
 */
final class KeptBack {
  private final MeshWindow window;
  private final Consumer<ProducerRecord<byte[], byte[]>> writer;
  private final Map<Integer, Waiting> waiting = new TreeMap<>();

  /**
   * @param writer that the window counts; gets each record when its turn has come
   */
  KeptBack(MeshWindow window, Consumer<ProducerRecord<byte[], byte[]>> writer) {
    this.window = window;
    this.writer = writer;
  }

  /**
   * Writes a record, now or when its turn has come.
   *
   * @param partition of the peer's log that it came from
   * @param offset there
   */
  void write(int partition, long offset, ProducerRecord<byte[], byte[]> record) {
    if (!waiting.containsKey(partition) && window.hasRoom(partition, 1)) {
      writer.accept(record);
    } else {
      waiting.computeIfAbsent(partition, p -> new Waiting()).add(new Kept(offset, record));
    }
  }

  /** Writes what there is room for by now. */
  void release() {
    waiting.forEach(
        (partition, kept) -> {
          while (!kept.records.isEmpty() && window.hasRoom(partition, 1)) {
            writer.accept(kept.remove().record());
          }
        });
    waiting.values().removeIf(kept -> kept.records.isEmpty());
  }

  /** The offset of the first record of a partition that is kept back. */
  OptionalLong first(int partition) {
    var kept = waiting.get(partition);
    return kept == null ? OptionalLong.empty() : OptionalLong.of(kept.records.peek().offset());
  }

  /** The partitions that have something kept back. */
  Set<Integer> partitions() {
    return Set.copyOf(waiting.keySet());
  }

  /** Bytes that are kept back of some partitions. */
  long bytes(Collection<Integer> partitions) {
    return waiting.entrySet().stream()
        .filter(e -> partitions.contains(e.getKey()))
        .mapToLong(e -> e.getValue().bytes)
        .sum();
  }

  private record Kept(long offset, ProducerRecord<byte[], byte[]> record) {
    int bytes() {
      return length(record.key()) + length(record.value());
    }

    private static int length(byte[] bytes) {
      return bytes == null ? 0 : bytes.length;
    }
  }

  private static final class Waiting {
    private final Queue<Kept> records = new ArrayDeque<>();
    private long bytes;

    void add(Kept kept) {
      records.add(kept);
      bytes += kept.bytes();
    }

    Kept remove() {
      var kept = records.remove();
      bytes -= kept.bytes();
      return kept;
    }
  }
}
