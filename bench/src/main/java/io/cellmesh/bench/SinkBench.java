package io.cellmesh.bench;

import io.cellmesh.devstack.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The sink beside Debezium's JDBC sink and the raw limit, round by round in turn. */
public final class SinkBench {
  private static final long SEED = 20260131;

  private final Plan plan;
  private final ShippedConnector shipped;
  private final Progress progress;

  public SinkBench(Plan plan, ShippedConnector shipped, Progress progress) {
    this.plan = plan;
    this.shipped = shipped;
    this.progress = progress;
  }

  public SinkFigures run() throws Exception {
    var figures = besidePeer();
    var more = new ArrayList<>(figures.ours());
    for (int shards : plan.shards().subList(1, plan.shards().size())) {
      more.add(alone(shards));
    }
    return figures.withOurs(more);
  }

  private SinkFigures besidePeer() throws Exception {
    try (var peerSink = PeerSink.start(named("peer"));
        var peer = new SinkHarness(peerSink, SEED, progress)) {
      peer.prepare();
      peer.warmUp(plan.warmUp());
      var raw = new RawInserts(peerSink.server(), SEED);
      raw.measure(plan.warmUp());
      var surroundings =
          Surroundings.of(peerSink.server(), peerSink.connector())
              .and("Debezium", peerSink.stack(), "JdbcSinkConnector");
      peer.freeze();
      try (var ourSink = ours(plan.shards().get(0));
          var our = new SinkHarness(ourSink, SEED, progress)) {
        our.prepare();
        our.warmUp(plan.warmUp());
        return new Duel(our, peer, raw)
            .run(surroundings.and("Cellmesh", ourSink.stack(), "CellSinkConnector"));
      }
    }
  }

  private Result alone(int shards) throws Exception {
    try (var ourSink = ours(shards);
        var our = new SinkHarness(ourSink, SEED, progress)) {
      our.prepare();
      our.warmUp(plan.warmUp());
      var rounds = new ArrayList<Round>();
      for (int round = 1; round <= plan.rounds(); round++) {
        rounds.add(our.measure(plan.cells()));
      }
      return new Result("ours", shards, rounds);
    }
  }

  private OurSink ours(int shards) throws Exception {
    return OurSink.start(shards, 0, shipped, named("ours"));
  }

  private Progress named(String name) {
    return text -> progress.step(name + ": " + text);
  }

  /** The rounds of both in turn, so that whatever drifts hits both. */
  private final class Duel {
    private final SinkHarness our;
    private final SinkHarness peer;
    private final RawInserts raw;
    private final List<Round> ours = new ArrayList<>();
    private final List<Round> peers = new ArrayList<>();
    private final List<Round> raws = new ArrayList<>();
    private final List<Profile> profiles = new ArrayList<>();

    Duel(SinkHarness our, SinkHarness peer, RawInserts raw) {
      this.our = our;
      this.peer = peer;
      this.raw = raw;
    }

    /** Begins and ends with the peer frozen. */
    SinkFigures run(Surroundings surroundings) throws Exception {
      for (int round = 1; round <= plan.rounds(); round++) {
        progress.step("round %d of %d".formatted(round, plan.rounds()));
        ours.add(our.measure(plan.cells()));
        swap(our, peer);
        peers.add(peer.measure(plan.cells()));
        raws.add(raw.measure(plan.cells()));
        progress.step("raw: " + raws.get(round - 1));
        swap(peer, our);
      }
      var latency = latency();
      if (plan.profile()) {
        progress.step("profiles, a round of each");
        profiles.add(profile(our));
        swap(our, peer);
        profiles.add(profile(peer));
      }
      return new SinkFigures(
          surroundings,
          List.of(new Result("ours", plan.shards().get(0), ours)),
          new Result("peer", 1, peers),
          new Result("raw", 1, raws),
          latency,
          profiles);
    }

    private Optional<LatencyFigures> latency() throws Exception {
      return plan.latency()
          ? Optional.of(new Latency((OurSink) our.contestant(), our, progress).measure())
          : Optional.empty();
    }

    private Profile profile(SinkHarness harness) throws Exception {
      return new Profiled(harness.contestant())
          .measure(watcher -> harness.measure(plan.cells(), watcher));
    }

    private void swap(SinkHarness running, SinkHarness frozen) {
      running.freeze();
      frozen.thaw();
    }
  }
}
