package io.cellmesh.herb;

import static java.util.stream.Collectors.groupingBy;

import io.cellmesh.cell.RememberedLog;
import io.cellmesh.deployment.peer.LogQuestion;
import io.cellmesh.deployment.peer.PeerHttp;
import io.cellmesh.deployment.wire.Batch;
import io.cellmesh.deployment.wire.BatchProgress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Reads a seed from the peer's herb-replicator, which answers with some of it each time. */
final class HttpSeedReader implements SeedReader {
  private final PeerHttp peer;
  private final RememberedLog seed;
  private final BatchProgress progress;
  private volatile Thread waiting;
  private volatile boolean woken;

  /**
   * @param seed Kafka's ids of it
   * @param next the offset of the first record that is wanted, by partition
   */
  HttpSeedReader(PeerHttp peer, RememberedLog seed, Map<Integer, Long> next) {
    this.peer = peer;
    this.seed = seed;
    this.progress = new BatchProgress(next);
  }

  @Override
  public Map<Integer, List<ConsumerRecord<byte[], byte[]>>> poll(Set<Integer> full)
      throws InterruptedException {
    waiting = Thread.currentThread();
    try {
      if (woken) {
        // Just before it began to wait.
        throw new InterruptedException();
      }
      var records = new ArrayList<ConsumerRecord<byte[], byte[]>>();
      var next = new TreeMap<>(progress.next());
      next.keySet().removeAll(full);
      for (var batch : next.isEmpty() ? List.<Batch>of() : ask(next)) {
        progress.check(batch);
        records.addAll(batch.records());
        progress.advance(batch);
      }
      if (records.isEmpty()) {
        TimeUnit.MILLISECONDS.sleep(SeedReader.wait(full).toMillis());
      }
      return records.stream().collect(groupingBy(ConsumerRecord::partition));
    } finally {
      waiting = null;
    }
  }

  private List<Batch> ask(Map<Integer, Long> next) throws InterruptedException {
    return peer.seed(new LogQuestion(seed, next));
  }

  @Override
  public long position(int partition) {
    return progress.next().get(partition);
  }

  @Override
  public void leave(int partition) {
    progress.leave(partition);
  }

  @Override
  public long behind() {
    return progress.behind();
  }

  @Override
  public void wakeup() {
    woken = true;
    var thread = waiting;
    if (thread != null) {
      thread.interrupt();
    }
  }

  @Override
  public void close() {
    // Nothing is open between two questions.
  }
}
