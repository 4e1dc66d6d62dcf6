package io.cellmesh.herb;

import static java.util.stream.Collectors.groupingBy;

import io.cellmesh.cell.RememberedLog;
import io.cellmesh.deployment.peer.LogQuestion;
import io.cellmesh.deployment.peer.PeerHttp;
import io.cellmesh.deployment.wire.BatchProgress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Reads a seed from the peer's herb-replicator, which answers with some of it each time. */
final class HttpSeedReader implements SeedReader {
  private final PeerHttp peer;
  private final RememberedLog seed;
  private final BatchProgress progress;
  private volatile Thread waiting;

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
  public Map<Integer, List<ConsumerRecord<byte[], byte[]>>> poll() throws InterruptedException {
    waiting = Thread.currentThread();
    try {
      var records = new ArrayList<ConsumerRecord<byte[], byte[]>>();
      for (var batch : peer.seed(new LogQuestion(seed, progress.next()))) {
        progress.check(batch);
        records.addAll(batch.records());
        progress.advance(batch);
      }
      if (records.isEmpty()) {
        TimeUnit.SECONDS.sleep(1);
      }
      return records.stream().collect(groupingBy(ConsumerRecord::partition));
    } finally {
      waiting = null;
    }
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
