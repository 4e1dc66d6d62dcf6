package io.cellmesh.bench;

import io.cellmesh.devstack.DevStackException;
import io.cellmesh.devstack.MySqlServer;
import io.cellmesh.devstack.Progress;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;

/**
 * Many cells through the sink, and what its worker's memory does meanwhile. Records, rows and
 * binary logs that have served go as it runs, so that the disk holds a few hundred thousand cells
 * at any time, however many there are in all.
 */
public final class Soak {
  private static final long SEED = 20260201;
  private static final int SHARDS = 64;
  private static final int CHUNK = 20_000;
  private static final int AHEAD = 100_000;
  private static final int KEPT = 500_000;

  /** The sink may ask again for what stands right before its position. */
  private static final int SLACK = 1000;

  private static final long SAMPLE_NANOS = 10_000_000_000L;

  private final ShippedConnector shipped;
  private final Progress progress;

  public Soak(ShippedConnector shipped, Progress progress) {
    this.shipped = shipped;
    this.progress = progress;
  }

  /**
   * Two masters with a minion each, as in production, so that copies are reaped.
   *
   * @param cells how many
   */
  public SoakFigures run(long cells) throws Exception {
    try (var sink = OurSink.start(SHARDS, 1, shipped, progress);
        var harness = new SinkHarness(sink, SEED, progress)) {
      harness.prepare();
      harness.run();
      return new Run(sink, harness, cells).run();
    }
  }

  private final class Run {
    private final OurSink sink;
    private final SinkHarness harness;
    private final long total;
    private final JvmMemory memory;
    private final List<SoakFigures.Sample> samples = new ArrayList<>();
    private final long start = System.nanoTime();
    private long sampled = start;
    private long counted;

    Run(OurSink sink, SinkHarness harness, long total) {
      this.sink = sink;
      this.harness = harness;
      this.total = total;
      this.memory = new JvmMemory(sink.stack().worker(Servers.DATACENTER).pid());
    }

    SoakFigures run() throws Exception {
      try (var backlog = new Backlog(sink, 20)) {
        long inTables = 0;
        while (harness.produced() < total) {
          long chunk = Math.min(CHUNK, total - harness.produced());
          for (long i = 0; i < chunk; i++) {
            backlog.send(harness.next());
          }
          backlog.flush();
          inTables += chunk;
          await(harness.produced() - AHEAD);
          if (inTables >= KEPT) {
            await(harness.produced());
            empty();
            inTables = 0;
          }
        }
      }
      await(total);
      empty();
      double seconds = (System.nanoTime() - start) / 1e9;
      sample();
      return new SoakFigures(counted, seconds, samples);
    }

    private void await(long wanted) throws Exception {
      harness.await(wanted);
      if (System.nanoTime() - sampled > SAMPLE_NANOS) {
        sample();
        trimTopic();
      }
    }

    private void sample() throws SQLException {
      sampled = System.nanoTime();
      var sample =
          new SoakFigures.Sample(
              (sampled - start) / 1e9, sink.visible(), memory.heapAfterGc(), memory.resident());
      samples.add(sample);
      progress.step(sample.toString());
    }

    /** Counts the rows, which must be all, and takes them away, with the logs of their making. */
    private void empty() throws SQLException {
      counted += sink.count();
      for (var cluster : sink.stack().clusters(Servers.DATACENTER)) {
        for (int shard : cluster.shards().stream().toArray()) {
          cluster.master().execute("TRUNCATE TABLE " + sink.entity(shard));
        }
        cluster.servers().forEach(this::purge);
      }
    }

    /** Logs that can't go now, since the server itself is about to purge some, go the next time. */
    private void purge(MySqlServer server) {
      try {
        server.execute("FLUSH BINARY LOGS", "PURGE BINARY LOGS BEFORE NOW()");
      } catch (DevStackException e) {
        progress.step(e.getMessage());
      }
    }

    private void trimTopic() throws Exception {
      try (var admin = sink.stack().broker(Servers.DATACENTER).admin()) {
        var committed =
            admin
                .listConsumerGroupOffsets("connect-" + sink.name())
                .partitionsToOffsetAndMetadata()
                .get();
        var trims = new HashMap<TopicPartition, RecordsToDelete>();
        committed.forEach(
            (at, offset) -> {
              if (at.topic().equals(sink.topic()) && offset.offset() > SLACK) {
                trims.put(at, RecordsToDelete.beforeOffset(offset.offset() - SLACK));
              }
            });
        admin.deleteRecords(trims).all().get();
      }
    }
  }
}
