package io.cellmesh.bench;

import io.cellmesh.bench.FreshFigures.FreshRound;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.devstack.DevStackException;
import io.cellmesh.devstack.JavaApp;
import io.cellmesh.devstack.Progress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Indexes: how fresh they are, how fast they are built, how fast they answer. */
public final class IndexBench {
  private static final CountWait WARM_UP =
      CountWait.atMost(Duration.ofMinutes(3), Duration.ofMillis(500));

  /** How many times as long as it is measured it runs before: compilers take minutes here. */
  private static final int WARM_UP_TIMES = 8;

  /** Cells that show that the source has come back with another setting. */
  private static final int SETTLING = 500;

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
        return new Run(servers, log).run();
      } finally {
        log.log().close();
      }
    }
  }

  /** One after the other on the same servers. */
  private final class Run {
    private final LogServers servers;
    private final LogSource log;
    private final ConnectorDriver logDriver;
    private final IndexTopics topics;
    private final StreamsApps apps;

    Run(LogServers servers, LogSource log) throws Exception {
      this.servers = servers;
      this.log = log;
      this.logDriver = new ConnectorDriver(log);
      this.topics = new IndexTopics(servers);
      this.apps = new StreamsApps(servers);
    }

    IndexFigures run() throws Exception {
      topics.createUnindexed();
      topics.noteTimes(log.log().name());
      logDriver.create("RUNNING");
      var fresh = fresh();
      progress.step("log of %,d more cells".formatted(plan.plan().cells()));
      servers.write(plan.plan().cells());
      logDriver.await(servers.written());
      logDriver.rest();
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

    /** By turns, each round as shipped and then with the log read in each other way. */
    private List<FreshFigures> fresh() throws Exception {
      var indexes = BenchIndexes.all(1);
      topics.create(indexes);
      var table = new TableSink(servers, sink, indexes);
      var driver = new ConnectorDriver(table);
      driver.create("RUNNING");
      var streams = apps.indexes("live", 1, indexes);
      try {
        progress.step("the whole path: warm-up with %,d cells".formatted(plan.plan().warmUp()));
        through(plan.plan().warmUp(), table, streams);
        var freshness = new Freshness(servers, indexes, progress);
        freshness.measure(plan.rate(), WARM_UP_TIMES * plan.seconds());
        var rounds = new EnumMap<Reading, List<FreshRound>>(Reading.class);
        for (int round = 1; round <= plan.plan().rounds(); round++) {
          for (var reading : Reading.values()) {
            progress.step("freshness, round %d, log from the %s".formatted(round, reading.text()));
            new ConnectorDriver(log.with(log.name(), reading.settings())).change();
            through(SETTLING, table, streams);
            rounds.computeIfAbsent(reading, of -> new ArrayList<>()).add(fresh(freshness, reading));
          }
        }
        return rounds.entrySet().stream()
            .map(of -> new FreshFigures(of.getKey().text(), plan.rate(), of.getValue()))
            .toList();
      } finally {
        streams.stop();
        driver.rest();
      }
    }

    private FreshRound fresh(Freshness freshness, Reading reading) throws Exception {
      if (reading.replicates()) {
        return freshness.measure(plan.rate(), plan.seconds());
      }
      servers.minion().execute("STOP REPLICA");
      try {
        return freshness.measure(plan.rate(), plan.seconds());
      } finally {
        servers.minion().execute("START REPLICA");
        servers.awaitMinion();
      }
    }

    /** Writes cells, and returns once all their entries are in the tables. */
    private void through(long cells, TableSink table, JavaApp streams) throws Exception {
      servers.write(cells);
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
