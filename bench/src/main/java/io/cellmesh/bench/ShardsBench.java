package io.cellmesh.bench;

import io.cellmesh.devstack.Progress;
import java.util.ArrayList;

/** Our log alone over numbers of shards, each on servers of its own that have seen nothing yet. */
public final class ShardsBench {
  private static final int PATIENCE_SECONDS = 15;

  private final Plan plan;
  private final ShippedConnector shipped;
  private final Progress progress;

  public ShardsBench(Plan plan, ShippedConnector shipped, Progress progress) {
    this.plan = plan;
    this.shipped = shipped;
    this.progress = progress;
  }

  public ShardsFigures run() throws Exception {
    var counts = new ArrayList<ShardsFigures.Count>();
    for (int shards : plan.shards()) {
      counts.add(measure(shards));
    }
    return new ShardsFigures(counts);
  }

  private ShardsFigures.Count measure(int shards) throws Exception {
    try (var servers = LogServers.start(shards, progress);
        var harness = new LogHarness(OurLog.asShipped(servers, shipped), progress)) {
      servers.write(plan.warmUp());
      Processor.awaitQuiet(PATIENCE_SECONDS);
      var heap = HeapMonitor.begin(servers.stack());
      double first = harness.beginLate();
      var rounds = new ArrayList<Round>();
      for (int round = 1; round <= plan.rounds(); round++) {
        servers.write(plan.cells());
        rounds.add(harness.measure(Watcher.NONE));
      }
      var peak = heap.end();
      return new ShardsFigures.Count(
          servers.createSeconds(),
          first,
          peak.left(),
          peak.met(),
          new Result("ours", shards, rounds));
    }
  }
}
