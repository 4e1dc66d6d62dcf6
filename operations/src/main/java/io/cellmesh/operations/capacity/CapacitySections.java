package io.cellmesh.operations.capacity;

import io.cellmesh.operations.capacity.Capacity.Section;
import io.cellmesh.operations.capacity.Figure.Unit;
import java.util.ArrayList;
import java.util.List;

/** Names what the model comes to, in the order in which people read it. */
final class CapacitySections {
  private static final int DAY = 86_400;

  private final Capacity at;

  private CapacitySections(Capacity at) {
    this.at = at;
  }

  static List<Section> of(Capacity capacity) {
    var sections = new CapacitySections(capacity);
    return List.of(
        new Section("Servers of a data centre", sections.servers()),
        new Section("Connections to a master", connections("master", capacity.toMaster())),
        new Section("Connections to a minion", connections("minion", capacity.toMinion())),
        new Section("A Connect worker", sections.worker()),
        new Section("A sink task", sections.sink()),
        new Section("A MySQL server", sections.mysql()),
        new Section("Kafka", sections.kafka()),
        new Section("Network", sections.network()));
  }

  private List<Figure> servers() {
    var layout = at.layout();
    return List.of(
        count("mysql_servers", "MySQL servers", layout.servers(), "C x (1 + minions)"),
        count(
            "databases",
            "shard databases of a server",
            layout.shardsOfCluster(),
            "S / C; each has a table, and one more for each index"),
        count("connect_workers", "Connect workers", layout.connectWorkers(), "as asked for"),
        count("sink_tasks", "sink tasks", layout.tasks(), "no more than P have work"),
        count("source_tasks", "source tasks", layout.clusters(), "one a cluster"),
        count("brokers", "brokers", layout.brokers(), "as asked for"));
  }

  private static List<Figure> connections(String of, Connections to) {
    var figures = new ArrayList<Figure>();
    figures.add(count(of + "_sink", "sink tasks keep", to.sink(), "while they write or look"));
    figures.add(
        count(of + "_sink_most", "sink tasks, at most", to.sinkMost(), "pools of 4 a task"));
    if (to.indexMost() > 0) {
      figures.add(count(of + "_index_most", "index passes, at most", to.indexMost(), "pools of 4"));
    }
    figures.add(
        count(
            of + "_source",
            "source",
            to.source(),
            "2 that look after it, and 3 where it reads the binlog"));
    if (to.replication() > 0) {
      figures.add(count(of + "_replication", "minions", to.replication(), "one each"));
    }
    if (to.httpMost() > 0) {
      figures.add(count(of + "_http_most", "HTTP workers, at most", to.httpMost(), "18 each"));
    }
    figures.add(count(of + "_operations", "a command", to.operationsMost(), "at most"));
    figures.add(count(of + "_kept", "kept", to.kept(), "without HTTP workers and commands"));
    figures.add(count(of + "_most", "at most", to.most(), "what max_connections must allow"));
    return figures;
  }

  private List<Figure> worker() {
    var worker = at.worker();
    return List.of(
        count("worker_connections", "connections to MySQL", worker.connections(), "kept"),
        count("worker_connections_most", "at most", worker.connectionsMost(), "all pools full"),
        count("worker_threads", "threads", worker.threads(), "while tasks put to all clusters"),
        count("worker_files", "open files", worker.files(), "all pools full"),
        new Figure("worker_heap", "live heap", worker.heap(), Unit.BYTES, "without a backlog"),
        new Figure(
            "worker_heap_most",
            "heap, at most",
            worker.heapMost(),
            Unit.BYTES,
            "what tasks fetch and write at a time"),
        new Figure("worker_cores", "processors", worker.cores(), Unit.CORES, "busy"));
  }

  private List<Figure> sink() {
    var pace = at.pace();
    var put = pace.put();
    return List.of(
        rate("puts", "puts a second", pace.puts(), "one follows the other"),
        count("put_cells", "cells of a put", put.cells(), "what came during the one before"),
        new Figure("put_seconds", "a put takes", pace.putSeconds(), Unit.SECONDS, "two commits"),
        count("put_primaries", "clusters of a put", put.primaries(), "a transaction each"),
        count("put_statements", "statements of a put", put.statements(), "on all masters"),
        count("put_commits", "commits of a put", put.commits(), "on all masters"),
        new Figure("reap_seconds", "copies stay for", at.reap().seconds(), Unit.SECONDS, "a pass"),
        count("reap_transactions", "commits of a pass", at.reap().transactions(), "on all masters"),
        count("reap_deletes", "deletes of a pass", at.reap().deletes(), "on all masters"));
  }

  private List<Figure> mysql() {
    var mysql = at.mysql();
    return List.of(
        rate("statements", "statements", mysql.statements(), "of a master"),
        rate("entity_commits", "commits with cells", mysql.entityCommits(), "of a master"),
        rate("copy_commits", "commits of copies", mysql.copyCommits(), "of a master"),
        rate("reap_commits", "commits that reap", mysql.reapCommits(), "of a master"),
        rate("offset_commits", "commits of positions", mysql.offsetCommits(), "of a master"),
        new Figure("master_cores", "processors", mysql.masterCores(), Unit.CORES, "of a master"),
        new Figure("minion_cores", "", mysql.minionCores(), Unit.CORES, "of a minion"),
        perDay("entity_bytes", "entity tables", mysql.entityBytes(), "of a server, for good"),
        perDay("binlog_bytes", "binlog", mysql.binlogBytes(), "of a server, until it expires"),
        new Figure(
            "buffer_bytes",
            "buffer",
            mysql.bufferBytes(),
            Unit.BYTES,
            "copies that wait for a pass"),
        count("open_tables", "open tables", mysql.openTables(), "of a master"));
  }

  private List<Figure> kafka() {
    var kafka = at.kafka();
    return List.of(
        count("topics", "topics", kafka.topics(), "of the instance"),
        count("partitions", "partitions", kafka.partitions(), "of these topics"),
        count(
            "broker_partitions", "of a broker", kafka.replicas(), "with Kafka's and Connect's own"),
        perDay("kafka_bytes", "disks of all brokers", kafka.bytes(), "cells, mesh and log"));
  }

  private List<Figure> network() {
    var network = at.network();
    return List.of(
        bytes("to_kafka", "to brokers", network.toKafka(), "and among them"),
        bytes("from_kafka", "from brokers", network.fromKafka(), "sink, one reader of the log"),
        bytes("to_masters", "to masters", network.toMasters(), "cells and copies"),
        bytes("to_minions", "to minions", network.toMinions(), "binlogs"),
        bytes("to_sources", "to sources", network.toSources(), "binlogs"),
        bytes("within", "within the data centre", network.within(), "all of these"),
        bytes("between_kafka", "from peers, kafka", network.betweenOverKafka(), "whole logs"),
        bytes("between_http", "from peers, http", network.betweenOverHttp(), "their own cells"));
  }

  private static Figure count(String name, String label, double value, String how) {
    return new Figure(name, label, value, Unit.COUNT, how);
  }

  private static Figure rate(String name, String label, double value, String how) {
    return new Figure(name, label, value, Unit.PER_SECOND, how);
  }

  private static Figure bytes(String name, String label, double value, String how) {
    return new Figure(name, label, value, Unit.BYTES_PER_SECOND, how);
  }

  private static Figure perDay(String name, String label, double perSecond, String how) {
    return new Figure(name, label, perSecond * DAY, Unit.BYTES_PER_DAY, how);
  }
}
