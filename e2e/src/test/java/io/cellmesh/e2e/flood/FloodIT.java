package io.cellmesh.e2e.flood;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.EnvelopeWriter;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Origin;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.deployment.MeshAccess;
import io.cellmesh.e2e.Command;
import io.cellmesh.e2e.UnderTarget;
import io.cellmesh.e2e.faults.Figures;
import io.cellmesh.stack.Stack;
import io.cellmesh.stack.StackOptions;
import io.cellmesh.storage.Pools;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * dc2's log is written again, as after a rebuild, while dc1 and dc3 go on: how long dc1's own cells
 * take to be in its tables, and dc3's to be there as well, before and meanwhile. So many cells as
 * {@code -Dcellmesh.flood} says.
 */
@Tag("full")
class FloodIT {
  /** Unless said otherwise more than two processors bring within two minutes: they are held. */
  private static final int CELLS = Integer.getInteger("cellmesh.flood", 200_000);

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** Without the second compiler a stack becomes faster for minutes. */
  private static final Duration WARM_UP = Duration.ofSeconds(Figures.isFull() ? 300 : 90);

  /** The slowest hundredth of half a minute are six cells, and took 77 to 430 ms within an hour. */
  private static final Duration BEFORE = Duration.ofSeconds(Figures.isFull() ? 300 : 30);

  /** The product's defaults, unless said otherwise: what is promised is promised of these. */
  private static final int LINGER_MS = Integer.getInteger("cellmesh.flood.linger", 0);

  private static final double SHARE =
      Double.parseDouble(
          System.getProperty("cellmesh.flood.share", String.valueOf(MeshAccess.SHARE)));

  /** InnoDB's; by reckoning less than the indexes of 2,000,000 cells, as any stack's. */
  private static final int POOL_MIB = Integer.getInteger("cellmesh.flood.pool", 64);

  /**
   * Between two cells of dc1, and of dc3. Where these alone take all that the processors have, a
   * longer one tells of a machine with room.
   */
  private static final Duration EVERY =
      Duration.ofMillis(Integer.getInteger("cellmesh.flood.every", 50));

  private static final Duration LOOK = Duration.ofSeconds(1);

  /** What is promised of a machine that has nothing else to do. */
  private static final double PROMISED = 2;

  /** What holds on any; without turns and windows dc3's cells take longer than that. */
  private static final double GENEROUS = 4;

  /** Under target, so that its logs are there when a test has failed. */
  @TempDir(factory = UnderTarget.class, cleanup = CleanupMode.ON_SUCCESS)
  static Path state;

  private Deployment deployment;

  @Test
  void a_peers_backlog_delays_neither_own_cells_nor_another_peers() throws Exception {
    try (var stack = Stack.start(options(), Command.silent().steps())) {
      deployment = stack.deployment();
      var dc1 = datacenter("dc1");
      try (var pools = new Pools(deployment.operator());
          var backlog = new Backlog(datacenter("dc2"), dc1);
          var own = new Probe(dc1, dc1, pools, EVERY);
          var hop = new Probe(datacenter("dc3"), dc1, pools, EVERY)) {
        await().atMost(PATIENCE).until(() -> own.count() > 0 && hop.count() > 0);
        TimeUnit.MILLISECONDS.sleep(WARM_UP.toMillis());
        begin(own, hop);
        TimeUnit.MILLISECONDS.sleep(BEFORE.toMillis());
        var before = List.of(figures(own), figures(hop));

        begin(own, hop);
        long begun = System.nanoTime();
        flood();
        var written = Duration.ofNanos(System.nanoTime() - begun);
        await()
            .atMost(PATIENCE.plusMillis(5L * CELLS))
            .pollInterval(LOOK)
            .until(
                () -> {
                  long left = backlog.look();
                  tellOn(begun, left, own, hop);
                  return left < MeshAccess.WINDOW;
                });
        var took = Duration.ofNanos(System.nanoTime() - begun);
        var during = List.of(figures(own), figures(hop));
        var minutes = List.of(own.byMinute(0.99, begun), hop.byMinute(0.99, begun));
        begin(own, hop);
        TimeUnit.MILLISECONDS.sleep(BEFORE.toMillis());
        var ownCells = new Lateness(before.get(0), during.get(0), minutes.get(0), figures(own));
        var hopCells = new Lateness(before.get(1), during.get(1), minutes.get(1), figures(hop));
        own.check();
        hop.check();
        var told = told(ownCells, hopCells, written, took, backlog.most());
        double bound = Figures.isFull() ? PROMISED : GENEROUS;
        assertThat(ownCells.ratio()).as(told).isLessThan(bound);
        assertThat(hopCells.ratio()).as(told).isLessThan(bound);
        assertThat(backlog.most())
            .as("unsunk cells in a partition of the mesh, of two links")
            .isLessThanOrEqualTo(2L * 2 * MeshAccess.WINDOW);
      }
    }
  }

  /** What has been seen so far, in {@code target/flood-so-far.txt}: the whole takes an hour. */
  private static void tellOn(long begun, long left, Probe own, Probe hop) throws IOException {
    var line =
        "%d s: %d left; p99 of each minute: own %s; dc3's %s ms%n"
            .formatted(
                Duration.ofNanos(System.nanoTime() - begun).toSeconds(),
                left,
                millis(own.byMinute(0.99, begun)),
                millis(hop.byMinute(0.99, begun)));
    Files.writeString(state.resolveSibling("flood-so-far.txt"), line);
  }

  private static String millis(List<Duration> times) {
    return times.stream()
        .map(time -> String.valueOf(time.toMillis()))
        .collect(Collectors.joining(" "));
  }

  private static StackOptions options() {
    var options =
        new StackOptions(Optional.of(state), 3, 16, 4, List.of())
            .withLinger(LINGER_MS)
            .withShare(SHARE)
            .withBufferPoolMiB(POOL_MIB);
    return Figures.isFull() ? options.withoutSideWork() : options;
  }

  private record Times(Duration p50, Duration p99) {}

  /**
   * How long cells took.
   *
   * @param minutes the p99 of each minute of the flood
   * @param after when it was over: a machine may do more in one hour than in another
   */
  private record Lateness(Times before, Times during, List<Duration> minutes, Times after) {
    double ratio() {
      return (double) during.p99().toNanos() / before.p99().toNanos();
    }

    String told() {
      return "p50 %d -> %d ms, p99 %d -> %d ms, %.2f times as long; afterwards p50 %d, p99 %d ms; p99 of each minute: %s ms"
          .formatted(
              before.p50().toMillis(),
              during.p50().toMillis(),
              before.p99().toMillis(),
              during.p99().toMillis(),
              ratio(),
              after.p50().toMillis(),
              after.p99().toMillis(),
              millis(minutes));
    }
  }

  private static void begin(Probe... probes) {
    for (var probe : probes) {
      probe.begin();
    }
  }

  private static Times figures(Probe probe) {
    return new Times(probe.percentile(0.5), probe.percentile(0.99));
  }

  /** In words, for {@code target/flood.txt} as well. */
  private String told(Lateness own, Lateness hop, Duration written, Duration took, long most)
      throws IOException {
    var lines =
        List.of(
            "linger %d ms, share %s, buffer pool %d MiB, cells of others each %d ms"
                .formatted(LINGER_MS, SHARE, POOL_MIB, EVERY.toMillis()),
            "own cells of dc1: " + own.told(),
            "cells of dc3 in dc1: " + hop.told(),
            "%d cells of dc2, written within %d s, came in %d s, %d a second; at most %d were unsunk in a partition"
                .formatted(
                    CELLS,
                    written.toSeconds(),
                    took.toSeconds(),
                    Math.round(CELLS / (took.toMillis() / 1e3)),
                    most));
    Files.write(state.resolveSibling("flood.txt"), lines);
    return String.join("\n", lines);
  }

  /** Writes old cells into the log of dc2, as its source writes them in a rebuild. */
  private void flood() throws Exception {
    var dc2 = datacenter("dc2");
    var shards = dc2.topology().shards();
    var ids = new HashMap<Integer, Long>();
    var stamp = Instant.now().toString().getBytes(StandardCharsets.UTF_8);
    try (var envelopes = new EnvelopeWriter();
        var producer =
            new KafkaProducer<>(
                dc2.kafka().client(), new ByteArraySerializer(), new ByteArraySerializer())) {
      for (int i = 0; i < CELLS; i++) {
        var key = new CellKey(UUID.randomUUID(), "OLD", 1);
        int shard = shards.of(key.rowKey());
        // Behind what dc2 may have by itself.
        long id = ids.merge(shard, 1_000_000L, (last, first) -> last + 1);
        var body = Body.ofJson("{\"n\":%d,\"text\":\"%s\"}".formatted(i, "x".repeat(200)));
        var cell = new Cell(key, body, Optional.of(new Origin("dc2", id)));
        var record =
            new ProducerRecord<>(
                dc2.topology().topics().log(),
                shards.partitionOf(shard),
                Envelope.key(key),
                envelopes.write(new LogRecord(cell, shard, id, Instant.now())));
        record.headers().add(Envelope.ORIGIN_HEADER, "dc2".getBytes(StandardCharsets.UTF_8));
        record.headers().add(Envelope.REBUILT_HEADER, stamp);
        producer.send(record);
      }
    }
  }

  private DataCenter datacenter(String name) {
    return deployment.datacenter(Optional.of(name));
  }
}
