package io.cellmesh.bench;

import io.cellmesh.devstack.Progress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;

/**
 * The log beside Debezium's MySQL connector: everybody reads the same cells from the same binlog,
 * one after the other, in the same worker.
 */
public final class LogBench {
  private final Plan plan;
  private final Duration rest;
  private final ShippedConnector shipped;
  private final Progress progress;

  /**
   * @param rest how long to watch the worker at rest, with a connector and without; zero for not at
   *     all
   */
  public LogBench(Plan plan, Duration rest, ShippedConnector shipped, Progress progress) {
    this.plan = plan;
    this.rest = rest;
    this.shipped = shipped;
    this.progress = progress;
  }

  /** Over the first number of shards. */
  public LogFigures run() throws Exception {
    try (var servers = LogServers.start(plan.shards().get(0), progress);
        var ours = new LogHarness(OurLog.asShipped(servers, shipped), progress);
        var peer = new LogHarness(PeerLog.atItsBest(servers), progress);
        var byDefault = new LogHarness(PeerLog.byDefault(servers), progress)) {
      return new Contest(servers, ours, peer, byDefault).run();
    }
  }

  /** The rounds of all in turn, so that whatever drifts hits all. */
  private final class Contest {
    private final LogServers servers;
    private final LogHarness our;
    private final LogHarness peer;
    private final List<LogHarness> all;

    Contest(LogServers servers, LogHarness our, LogHarness peer, LogHarness byDefault) {
      this.servers = servers;
      this.our = our;
      this.peer = peer;
      this.all = List.of(our, peer, byDefault);
    }

    LogFigures run() throws Exception {
      for (var harness : all) {
        harness.create();
      }
      for (var harness : all) {
        harness.begin();
      }
      Processor.awaitQuiet();
      for (var harness : all) {
        harness.rest();
      }
      var results = rounds();
      var rests =
          rest.isZero() ? List.<RestFigures>of() : new Rest(servers, rest).measure(List.of(our));
      var profiles = plan.profile() ? profiles() : List.<Profile>of();
      var lives =
          plan.latency()
              ? new LiveContest(servers, our, peer, progress).run()
              : List.<LiveFigures>of();
      return new LogFigures(
          surroundings(), results.get(0), results.get(1), results.get(2), rests, lives, profiles);
    }

    /** The results of all; who is first in one round is last in the next. */
    private List<Result> rounds() throws Exception {
      progress.step("warm-up with %,d cells".formatted(plan.warmUp()));
      servers.write(plan.warmUp());
      for (var harness : all) {
        harness.measure(Watcher.NONE);
      }
      var rounds = new HashMap<LogHarness, List<Round>>();
      var order = new ArrayList<>(all);
      for (int round = 1; round <= plan.rounds(); round++) {
        progress.step("round %d of %d".formatted(round, plan.rounds()));
        servers.write(plan.cells());
        for (var harness : order) {
          rounds
              .computeIfAbsent(harness, c -> new ArrayList<>())
              .add(harness.measure(Watcher.NONE));
        }
        Collections.reverse(order);
      }
      return all.stream().map(harness -> result(harness, rounds.get(harness))).toList();
    }

    private List<Profile> profiles() throws Exception {
      progress.step("profiles, two rounds of each");
      var profiles = new ArrayList<Profile>();
      for (var harness : List.of(our, peer)) {
        profiles.add(new Profiled(harness.source()).measure(watcher -> fresh(harness, watcher)));
      }
      return profiles;
    }

    private Round fresh(LogHarness harness, Watcher watcher) throws Exception {
      servers.write(plan.cells());
      return harness.measure(watcher);
    }

    private Surroundings surroundings() throws Exception {
      return Surroundings.of(servers.minion(), peer.source().connector())
          .and("Debezium", servers.stack(), "MySqlConnector")
          .and("Cellmesh", servers.stack(), "CellSourceConnector");
    }

    private Result result(LogHarness harness, List<Round> rounds) {
      return new Result(harness.source().name(), plan.shards().get(0), rounds);
    }
  }
}
