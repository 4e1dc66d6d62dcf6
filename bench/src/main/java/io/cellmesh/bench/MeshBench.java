package io.cellmesh.bench;

import io.cellmesh.bench.MeshFigures.Way;
import io.cellmesh.bench.MeshFigures.Whole;
import io.cellmesh.devstack.Progress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Links between two data centres beside MirrorMaker 2 with Debezium's JDBC sink, over the same
 * distances and into the same servers, one after the other.
 */
public final class MeshBench {
  private static final long SEED = 20260715;

  private final MeshPlan plan;
  private final ShippedConnector sink;
  private final ShippedConnector source;
  private final Progress progress;
  private final TripCells cells = new TripCells(SEED);

  /**
   * @param sink the shipped cell sink
   * @param source the shipped cell source
   */
  public MeshBench(
      MeshPlan plan, ShippedConnector sink, ShippedConnector source, Progress progress) {
    this.plan = plan;
    this.sink = sink;
    this.source = source;
    this.progress = progress;
  }

  /** Takes some eight minutes with a backlog of 100,000 cells and three distances. */
  public MeshFigures run() throws Exception {
    try (var servers = MeshServers.start(progress)) {
      var far = OurSink.on(servers.stack(), sink, progress);
      try (var log = new OriginLog(servers.topology(MeshServers.ORIGIN), OurSink.MASTERS)) {
        new ConnectorDriver(far).create("STOPPED");
        return new Run(servers, far, log).run();
      }
    }
  }

  /** One after the other on the same servers. */
  private final class Run {
    private final MeshServers servers;
    private final PeerMirror mirror;
    private final List<MeshHarness> ours = new ArrayList<>();
    private final MeshHarness peer;
    private final Map<Key, List<Round>> backlogs = new LinkedHashMap<>();
    private final Map<Key, List<MeshLatency>> streams = new LinkedHashMap<>();

    private record Key(MeshHarness way, int delay) {}

    Run(MeshServers servers, OurSink far, OriginLog log) throws Exception {
      this.servers = servers;
      for (var transport : LinkTransport.values()) {
        ours.add(harness(new OurLink(servers, transport, far, log)));
      }
      this.mirror = new PeerMirror(servers);
      this.peer = harness(mirror);
    }

    private MeshHarness harness(MeshWay way) {
      return new MeshHarness(way, cells, progress);
    }

    MeshFigures run() throws Exception {
      var order = new ArrayList<>(ours);
      order.add(peer);
      for (int round = 1; round <= plan.rounds(); round++) {
        progress.step("round %d of %d".formatted(round, plan.rounds()));
        for (var way : order) {
          round(way);
        }
        Collections.reverse(order);
      }
      var surroundings = surroundings();
      return new MeshFigures(surroundings, results(), whole());
    }

    /** All distances of one way, from the nearest on. */
    private void round(MeshHarness way) throws Exception {
      servers.lengthen(0);
      way.begin(plan.warmUp());
      for (int delay : plan.delays()) {
        progress.step("%s: %d ms one way".formatted(way.way().name(), delay));
        servers.lengthen(delay);
        var key = new Key(way, delay);
        backlogs.computeIfAbsent(key, k -> new ArrayList<>()).add(way.backlog(plan.cells()));
        streams.computeIfAbsent(key, k -> new ArrayList<>()).add(way.stream(plan.seconds()));
      }
      way.end();
    }

    private List<Way> results() {
      var results = new ArrayList<Way>();
      var ways = new ArrayList<>(ours);
      ways.add(peer);
      for (int delay : plan.delays()) {
        for (var way : ways) {
          var key = new Key(way, delay);
          var name = way.way().name();
          results.add(
              new Way(
                  name,
                  way == peer,
                  delay,
                  new Result(name, 0, backlogs.get(key)),
                  streams.get(key)));
        }
      }
      return results;
    }

    /** Last, for what the source numbers would not fit between what was made up. */
    private List<Whole> whole() throws Exception {
      var whole = new ArrayList<Whole>();
      try (var origin = WholeWay.start(servers, source, cells)) {
        for (var way : ours) {
          servers.lengthen(0);
          way.begin(1);
          through(way, origin);
          for (int delay : plan.delays()) {
            progress.step("%s: the whole way, %d ms".formatted(way.way().name(), delay));
            servers.lengthen(delay);
            whole.add(new Whole(way.way().name(), delay, through(way, origin)));
          }
          way.end();
        }
      }
      return whole;
    }

    private MeshLatency through(MeshHarness way, WholeWay origin) throws Exception {
      long before = way.way().count();
      try (var landing = way.way().landing()) {
        var clock = Processor.watch(servers.stack());
        var committed = origin.write(plan.seconds());
        var load = clock.round(committed.size());
        way.awaitRows(before + committed.size());
        return way.latency(committed, landing, load);
      }
    }

    private Surroundings surroundings() throws Exception {
      var stack = servers.stack();
      return Surroundings.of(mirror.sink().server(), mirror.settings())
          .and("Cellmesh", stack, "CellSinkConnector")
          .and("Debezium", stack, "JdbcSinkConnector")
          .and("MirrorMaker", stack, "MirrorSourceConnector");
    }
  }
}
