package io.cellmesh.deployment.peer;

import io.cellmesh.cell.MeshIdentity;
import io.cellmesh.cell.RememberedLog;
import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.Checkpoints;
import io.cellmesh.deployment.NewestOfKeys;
import io.cellmesh.deployment.wire.BatchProgress;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * Reads of a peer's {@code trips.checkpoint} over HTTP what concerns the data centre that asks: of
 * the peer's own cells and of that data centre's.
 */
public final class PeerCheckpoints implements Checkpoints {
  /** What has changed is folded every 10 s at least. */
  private static final long REST_NANOS = Duration.ofSeconds(10).toNanos();

  private final PeerHttp peer;
  private final RememberedLog topic;
  private final List<Long> ends;
  private final BatchProgress progress;
  private long askedAt;
  private boolean more = true;

  /**
   * Asks what there is.
   *
   * @param topology of the data centre that asks
   * @throws PeerAwayException if the peer does not answer
   * @throws PeerRefusedException if it does not let this data centre read, or is another one
   */
  public PeerCheckpoints(PeerHttp peer, Topology topology) throws InterruptedException {
    this.peer = peer;
    var answer = peer.describeCheckpoints();
    var wanted = new MeshIdentity(peer.name(), topology.instance(), topology.shards());
    if (!answer.identity().equals(wanted)) {
      throw new PeerRefusedException(
          "%s is not %s: it says that it is %s, and this data centre wants %s; correct its address"
              .formatted(peer.at(), peer.name(), answer.identity().toJson(), wanted.toJson()));
    }
    this.topic = answer.log();
    this.ends = answer.ends();
    var next = new TreeMap<Integer, Long>();
    for (int partition = 0; partition < answer.begins().size(); partition++) {
      next.put(partition, answer.begins().get(partition));
    }
    this.progress = new BatchProgress(next);
  }

  /** Asks every 10 s, and at once while there is more. */
  @Override
  public int poll(Duration within, BiConsumer<byte[], byte[]> reader) throws InterruptedException {
    return more || System.nanoTime() - askedAt > REST_NANOS ? ask(reader) : 0;
  }

  /**
   * {@inheritDoc}
   *
   * @throws PeerAwayException if an answer brings nothing of it
   */
  @Override
  public void readToEnd(BiConsumer<byte[], byte[]> reader) throws InterruptedException {
    while (!isRead()) {
      ask(reader);
    }
  }

  @Override
  public void close() {
    // Nothing is open between two questions.
  }

  private boolean isRead() {
    return progress.next().entrySet().stream()
        .allMatch(next -> next.getValue() >= ends.get(next.getKey()));
  }

  private int ask(BiConsumer<byte[], byte[]> reader) throws InterruptedException {
    int count = 0;
    askedAt = System.nanoTime();
    var before = progress.next();
    for (var batch : peer.checkpoints(new LogQuestion(topic, before))) {
      progress.check(batch);
      NewestOfKeys.of(batch.records())
          .forEach(record -> reader.accept(record.key(), record.value()));
      progress.advance(batch);
      count += batch.records().size();
    }
    if (progress.next().equals(before) && !isRead()) {
      throw new PeerAwayException(
          "%s at %s sends nothing of what it has folded".formatted(peer.name(), peer.at()));
    }
    more = progress.behind() > 0;
    return count;
  }
}
