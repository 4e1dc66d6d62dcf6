package io.cellmesh.bench;

import io.cellmesh.devstack.Progress;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The time from a commit to a consumer of the log, cell by cell, at a steady rate. One process
 * writes and reads, so one clock tells both times: the one right after the client's commit has
 * returned, the other right after the consumer's poll has. MySQL hands a transaction to the readers
 * of its binlog before it answers the client, so a consumer can be earlier than that; its cell then
 * counts as 0.
 */
final class Live {
  private static final long SEED = 20260401;
  private static final Duration TAIL = Duration.ofSeconds(30);

  private static final int PATIENCE_SECONDS = 8;

  private final LogServers servers;
  private final LiveWriter writer;
  private final TripCells cells = new TripCells(SEED);
  private final Progress progress;

  Live(LogServers servers, Progress progress) {
    this.servers = servers;
    this.writer = new LiveWriter(servers.topology(), servers.master());
    this.progress = progress;
  }

  /**
   * Measures a connector that runs.
   *
   * @param rate cells a second
   * @param count how many
   */
  LiveFigures measure(LogSource source, int rate, int count)
      throws SQLException, InterruptedException {
    var rows = rows(count);
    try (var reader = LiveReader.start(source, rows)) {
      Processor.awaitQuiet(PATIENCE_SECONDS);
      var clock = Processor.watch(servers.stack());
      var committed = writer.write(rows, rate);
      servers.wrote(count);
      var load = clock.round(count);
      var seen = reader.await(TAIL);
      var figures = figures(source.name(), rate, committed, seen, load);
      progress.step("live, " + figures);
      return figures;
    }
  }

  private List<EntityRow> rows(int count) {
    var rows = new ArrayList<EntityRow>();
    for (int i = 0; i < count; i++) {
      rows.add(EntityRow.of(cells.next(), servers.topology().shards()));
    }
    return rows;
  }

  private static LiveFigures figures(
      String name, int rate, long[] committed, long[] seen, Round load) {
    var nanos = new long[seen.length];
    Arrays.setAll(nanos, i -> Math.max(0, seen[i] - committed[i]));
    long early = Arrays.stream(nanos).filter(n -> n == 0).count();
    double seconds =
        (Arrays.stream(committed).max().orElseThrow()
                - Arrays.stream(committed).min().orElseThrow())
            / 1e9;
    return new LiveFigures(
        name,
        rate,
        (seen.length - 1) / seconds,
        seen.length,
        Statistics.percentile(nanos, 50) / 1e6,
        Statistics.percentile(nanos, 99) / 1e6,
        Statistics.percentile(nanos, 100) / 1e6,
        early,
        load);
  }
}
