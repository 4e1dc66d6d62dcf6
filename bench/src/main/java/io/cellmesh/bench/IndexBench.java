package io.cellmesh.bench;

import io.cellmesh.bench.IndexFigures.Fresh;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.devstack.DevStackException;
import io.cellmesh.devstack.JavaApp;
import io.cellmesh.devstack.Progress;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Indexes: how fresh they are, how fast they are built, how fast they answer. */
public final class IndexBench {
  private static final Waiting WARM_UP =
      Waiting.atMost(Duration.ofMinutes(3), Duration.ofMillis(500));

  /** How many times as long as it is measured it runs before: compilers take minutes here. */
  private static final int WARM_UP_TIMES = 8;

  private static final int PATIENCE_SECONDS = 15;

  private final IndexPlan plan;
  private final ShippedConnector source;
  private final ShippedIndexConnector sink;
  private final Progress progress;

  public IndexBench(
      IndexPlan plan, ShippedConnector source, ShippedIndexConnector sink, Progress progress) {
    this.plan = plan;
    this.source = source;
    this.sink = sink;
    this.progress = progress;
  }

  /** Fills in the shipped index sink's configuration, for MySQL's root without a password. */
  @FunctionalInterface
  public interface ShippedIndexConnector {
    Map<String, String> render(Topology topology, List<IndexDefinition> indexes) throws Exception;
  }

  public IndexFigures run() throws Exception {
    int shards = plan.plan().shards().get(0);
    var plugins = List.of(LogServers.SOURCE, OurSink.PLUGIN);
    try (var servers = LogServers.start(plugins, shards, progress)) {
      var log = OurLog.asShipped(servers, source);
      try {
        return new Course(servers, log).run();
      } finally {
        log.log().close();
      }
    }
  }

  /** One after the other on the same servers. */
  private final class Course {
    private final LogServers servers;
    private final LogSource log;
    private final Sprint logSprint;
    private final IndexTopics topics;
    private final StreamsApps apps;

    Course(LogServers servers, LogSource log) throws Exception {
      this.servers = servers;
      this.log = log;
      this.logSprint = new Sprint(log);
      this.topics = new IndexTopics(servers);
      this.apps = new StreamsApps(servers);
    }

    IndexFigures run() throws Exception {
      topics.createUnindexed();
      topics.noteTimes(log.log().name());
      logSprint.create("RUNNING");
      var fresh = fresh();
      progress.step("log of %,d more cells".formatted(plan.plan().cells()));
      servers.write(plan.plan().cells());
      logSprint.await(servers.written());
      logSprint.rest();
      // From here on nobody needs it.
      servers.minion().execute("STOP REPLICA");
      var surroundings = surroundings();
      var backfill = new Backfill(servers, apps, sink, servers.written(), progress);
      for (int round = 1; round <= plan.plan().rounds(); round++) {
        backfill.round(round);
      }
      var queried = BenchIndexes.all(2).get(0);
      topics.create(List.of(queried));
      var queries =
          new IndexQueries(servers.topology(), queried, progress)
              .measure(plan.entries(), plan.queries());
      return new IndexFigures(
          surroundings, fresh, backfill.indexes(), backfill.peer(), backfill.tables(), queries);
    }

    private Fresh fresh() throws Exception {
      var indexes = BenchIndexes.all(1);
      topics.create(indexes);
      var table = new TableSink(servers, sink, indexes);
      var sprint = new Sprint(table);
      sprint.create("RUNNING");
      var streams = apps.indexes("live", 1, indexes);
      try {
        warmUp(table, streams);
        var freshness = new Freshness(servers, indexes, progress);
        freshness.measure(plan.rate(), WARM_UP_TIMES * plan.seconds());
        return freshness.measure(plan.rate(), plan.seconds());
      } finally {
        streams.stop();
        sprint.rest();
      }
    }

    private void warmUp(TableSink table, JavaApp streams) throws Exception {
      progress.step("the whole path: warm-up with %,d cells".formatted(plan.plan().warmUp()));
      servers.write(plan.plan().warmUp());
      WARM_UP.until(
          servers.written(),
          table::count,
          streams::isAlive,
          count ->
              new DevStackException(
                  "%,d entries of an index after %,d cells; see %s"
                      .formatted(count, servers.written(), streams.log())));
      Processor.awaitQuiet(PATIENCE_SECONDS);
    }

    private Surroundings surroundings() throws Exception {
      return Surroundings.of(servers.master(), Map.of())
          .and("Cellmesh", servers.stack(), "IndexSinkConnector");
    }
  }
}
