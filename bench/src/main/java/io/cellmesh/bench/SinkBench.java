package io.cellmesh.bench;

import io.cellmesh.devstack.Progress;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.utils.AppInfoParser;

/** The sink beside Debezium's JDBC sink and the raw limit, round by round in turn. */
public final class SinkBench {
  private static final long SEED = 20260131;

  private static final List<String> MYSQL_SETTINGS =
      List.of(
          "sync_binlog",
          "innodb_flush_log_at_trx_commit",
          "innodb_doublewrite",
          "log_bin",
          "binlog_format",
          "gtid_mode",
          "innodb_buffer_pool_size");

  private final Plan plan;
  private final ShippedSink shipped;
  private final Progress progress;

  /**
   * What to measure.
   *
   * @param cells of each measured round
   * @param shards numbers of shards; the first is measured beside the peer
   */
  public record Plan(long cells, List<Integer> shards, int rounds) {
    public Plan {
      shards = List.copyOf(shards);
    }
  }

  public SinkBench(Plan plan, ShippedSink shipped, Progress progress) {
    this.plan = plan;
    this.shipped = shipped;
    this.progress = progress;
  }

  public SinkFigures run() throws Exception {
    var ours = new ArrayList<Round>();
    var peers = new ArrayList<Round>();
    var raws = new ArrayList<Round>();
    int shards = plan.shards.get(0);
    try (var peerSink = PeerSink.start(named("peer"));
        var peer = new Course(peerSink, SEED, progress)) {
      peer.prepare();
      var versions = versions(peerSink);
      var mysql = mysql(peerSink);
      peer.warmUp(warmUp());
      var raw = new RawInserts(peerSink.server(), SEED);
      raw.measure(warmUp());
      peer.freeze();
      try (var ourSink = OurSink.start(shards, 0, shipped, named("ours"));
          var our = new Course(ourSink, SEED, progress)) {
        our.prepare();
        versions.put("Cellmesh", plugin(ourSink, "CellSinkConnector"));
        our.warmUp(warmUp());
        for (int round = 1; round <= plan.rounds; round++) {
          progress.step("round %d of %d".formatted(round, plan.rounds));
          ours.add(our.measure(plan.cells));
          our.freeze();
          peer.thaw();
          peers.add(peer.measure(plan.cells));
          raws.add(raw.measure(plan.cells));
          progress.step("raw: %,.0f cells/s".formatted(raws.get(round - 1).cellsPerSecond()));
          peer.freeze();
          our.thaw();
        }
        return new SinkFigures(
            Machine.here(),
            versions,
            mysql,
            peerSink.connector(),
            List.of(new Result("ours", shards, ours)),
            new Result("peer", 1, peers),
            new Result("raw", 1, raws));
      }
    }
  }

  private long warmUp() {
    return Math.max(1, plan.cells / 2);
  }

  private Progress named(String name) {
    return text -> progress.step(name + ": " + text);
  }

  private static Map<String, String> versions(PeerSink peer) throws SQLException {
    var versions = new LinkedHashMap<String, String>();
    versions.put("Java", Runtime.version().toString());
    versions.put("Kafka", AppInfoParser.getVersion());
    try (var connection = peer.server().connect()) {
      var meta = connection.getMetaData();
      versions.put("MySQL", meta.getDatabaseProductVersion());
      versions.put("Connector/J", meta.getDriverVersion().replaceAll(" .*", ""));
    }
    versions.put("Debezium", plugin(peer, "JdbcSinkConnector"));
    return versions;
  }

  private static String plugin(Contestant contestant, String name) {
    for (var plugin : contestant.stack().worker(Servers.DATACENTER).client().plugins()) {
      if (plugin.path("class").asText().endsWith(name)) {
        return plugin.path("version").asText();
      }
    }
    return "unknown";
  }

  private static Map<String, String> mysql(PeerSink peer) {
    var settings = new LinkedHashMap<String, String>();
    for (var name : MYSQL_SETTINGS) {
      settings.put(name, peer.server().query("SELECT @@GLOBAL." + name));
    }
    return settings;
  }
}
