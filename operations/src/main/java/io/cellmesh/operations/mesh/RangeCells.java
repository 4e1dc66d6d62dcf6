package io.cellmesh.operations.mesh;

import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.EnvelopeReader;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.Shards;
import io.cellmesh.cell.proof.FoldSource;
import io.cellmesh.cell.proof.Stretch;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.peer.LogQuestion;
import io.cellmesh.deployment.peer.PeerHttp;
import io.cellmesh.deployment.wire.Batch;
import io.cellmesh.deployment.wire.BatchProgress;
import io.cellmesh.deployment.wire.BatchReader;
import io.cellmesh.operations.OperationException;
import io.cellmesh.topics.PartitionReader;
import io.cellmesh.topics.TopicOffsets;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The first occurrences of an origin's cells in ranges of ids, in one partition of a topic or in a
 * table.
 */
final class RangeCells {
  /** Most cells that are held: some 100 MB. */
  private static final int MOST = 250_000;

  private final String origin;
  private final Map<Integer, List<IdRange>> ranges;
  private final Map<Integer, TreeMap<Long, Found>> cells = new HashMap<>();
  private final Map<Integer, Long> highest = new HashMap<>();
  private final Map<Integer, Set<Long>> inverted = new HashMap<>();

  /** Where those stand that came out of a topic. */
  private final Map<Integer, Map<Long, Long>> offsets = new HashMap<>();

  private int held;

  /** A cell of which the body's digest is known. */
  record Found(CellKey key, String digest) {
    /** What a body that is none is told as. */
    private static final String DAMAGED = "that is no body";

    static Found of(Cell cell) {
      return new Found(cell.key(), digest(cell));
    }

    private static String digest(Cell cell) {
      try {
        return cell.body().digest();
      } catch (IllegalStateException e) {
        return DAMAGED;
      }
    }
  }

  /**
   * @param ranges of each shard
   */
  RangeCells(String origin, Map<Integer, List<IdRange>> ranges) {
    this.origin = origin;
    this.ranges = ranges;
    for (int shard : ranges.keySet()) {
      cells.put(shard, new TreeMap<>());
      inverted.put(shard, new TreeSet<>());
      offsets.put(shard, new HashMap<>());
    }
  }

  /**
   * Reads all that a partition of the origin's log retains, over HTTP.
   *
   * @throws io.cellmesh.deployment.peer.PeerAwayException if the origin does not answer, or brings
   *     nothing for {@link PeerHttp#silence}
   * @throws io.cellmesh.deployment.peer.PeerRefusedException if it does not let the one read that
   *     asks
   */
  void readOverHttp(PeerHttp origin, Shards shards, int partition) throws InterruptedException {
    var log = origin.describe();
    long end = log.ends().get(partition);
    var next = new HashMap<Integer, Long>();
    for (int other = 0; other < log.ends().size(); other++) {
      next.put(other, log.ends().get(other));
    }
    next.put(partition, log.begins().get(partition));
    var progress = new BatchProgress(next);
    try (var stream = origin.cells(new LogQuestion(log.log(), next));
        var batches = new BatchReader(stream, "log");
        var envelopes = EnvelopeReader.lenient()) {
      long movedAt = System.nanoTime();
      for (long at = next.get(partition); at < end; ) {
        var batch = next(origin, stream, batches);
        progress.check(batch);
        batch.records().stream()
            .filter(record -> record.partition() == partition)
            .forEach(record -> take(record, shards, FoldSource.LOG, envelopes));
        progress.advance(batch);
        long now = System.nanoTime();
        long reached = progress.next().get(partition);
        if (reached > at) {
          movedAt = now;
        } else if (now - movedAt > origin.silence().toNanos()) {
          throw origin.silent();
        }
        at = reached;
      }
    } catch (IOException e) {
      throw origin.away(e);
    }
  }

  /** The next batch, which comes within a second, be it to say that there is nothing. */
  private static Batch next(PeerHttp origin, InputStream stream, BatchReader batches)
      throws IOException {
    var silent = PeerHttp.closeAfter(stream, origin.silence());
    try {
      return batches.next().orElseThrow(() -> new EOFException("the stream has ended"));
    } finally {
      silent.cancel(false);
    }
  }

  /**
   * Reads all that a partition retains.
   *
   * @return its first offset
   */
  long read(TopicClients topics, DataCenter dc, String topic, FoldSource source, int partition) {
    return read(topics, dc, topic, source, partition, Stretch.WHOLE);
  }

  /**
   * Reads what a partition retains of a stretch.
   *
   * @return the partition's first offset
   */
  long read(
      TopicClients topics,
      DataCenter dc,
      String topic,
      FoldSource source,
      int partition,
      Stretch stretch) {
    var client = topics.of(dc);
    try (var envelopes = EnvelopeReader.lenient()) {
      var retained = TopicOffsets.of(client, topic);
      new PartitionReader(client)
          .read(
              retained.partition(partition),
              Math.max(retained.begin(partition), stretch.from()),
              Math.min(retained.end(partition) - 1, stretch.to()) + 1,
              record -> take(record, dc.topology().shards(), source, envelopes));
      return retained.begin(partition);
    }
  }

  private void take(
      ConsumerRecord<byte[], byte[]> record,
      Shards shards,
      FoldSource source,
      EnvelopeReader envelopes) {
    int shard = record.key() == null ? -1 : shards.of(record.key());
    if (!ranges.containsKey(shard)) {
      return;
    }
    try {
      add(shard, Holdings.cell(source, record, envelopes), OptionalLong.of(record.offset()));
    } catch (InvalidCellException e) {
      // What is damaged is set aside by whoever reads it, so it is not there.
    }
  }

  /** Takes in the next cell of a table. */
  void add(int shard, Cell cell) {
    add(shard, cell, OptionalLong.empty());
  }

  /**
   * Takes in the next cell.
   *
   * @param offset where it stands in a topic; empty if it came out of a table
   */
  void add(int shard, Cell cell, OptionalLong offset) {
    var from = cell.origin().orElseThrow();
    if (!from.datacenter().equals(origin)) {
      return;
    }
    long id = from.id();
    boolean late = id < highest.getOrDefault(shard, -1L);
    highest.merge(shard, id, Math::max);
    if (ranges.get(shard).stream().anyMatch(range -> range.contains(id))
        && cells.get(shard).putIfAbsent(id, Found.of(cell)) == null) {
      offset.ifPresent(at -> offsets.get(shard).put(id, at));
      if (late) {
        inverted.get(shard).add(id);
      }
      if (++held > MOST) {
        throw OperationException.invalid(
            "there are over %,d cells in these ids; give --from and --to".formatted(MOST));
      }
    }
  }

  /** The cells of a shard by their origin_ids. */
  NavigableMap<Long, Found> of(int shard) {
    return cells.get(shard);
  }

  /** Where a cell first stands in the topic; empty if it is not there. */
  OptionalLong offset(int shard, long id) {
    var at = offsets.get(shard).get(id);
    return at == null ? OptionalLong.empty() : OptionalLong.of(at);
  }

  /** The ids that came behind a higher one and had not come before. */
  Set<Long> inverted(int shard) {
    return inverted.get(shard);
  }

  /** The highest id of a shard, in whatever range; -1 without any. */
  long highest(int shard) {
    return highest.getOrDefault(shard, -1L);
  }
}
