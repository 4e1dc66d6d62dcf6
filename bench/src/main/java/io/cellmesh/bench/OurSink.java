package io.cellmesh.bench;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.MySqlServer;
import io.cellmesh.devstack.Progress;
import io.cellmesh.storage.InstanceSchema;
import io.cellmesh.storage.Pools;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * The shipped sink over two storage clusters. Cells are visible once the position of their
 * partition on their cluster, which is committed with them, has passed them.
 */
final class OurSink implements Contestant {
  static final int MASTERS = 2;
  static final String CELLS = "cells_next";
  static final String MESH = "mesh_next";
  static final String PLUGIN = "connect-sink/target/plugin";

  private static final int PARTITIONS = 16;

  private final DevStack stack;
  private final Topology topology;
  private final ShippedConnector shipped;
  private final OwnedOffsets offsets;
  private final List<Connection> masters;

  private OurSink(DevStack stack, ShippedConnector shipped, List<Connection> masters) {
    this.stack = stack;
    this.topology = stack.topology(Servers.DATACENTER);
    this.shipped = shipped;
    this.masters = masters;
    this.offsets = new OwnedOffsets(PARTITIONS, topology.clusters().size());
  }

  static OurSink start(int shards, int minions, ShippedConnector shipped, Progress progress)
      throws Exception {
    var stack =
        Servers.start(
            List.of(Servers.built(PLUGIN)), MASTERS, minions, shards, PARTITIONS, progress);
    boolean up = false;
    try {
      var sink = on(stack, shipped, progress);
      up = true;
      return sink;
    } finally {
      if (!up) {
        stack.close();
      }
    }
  }

  /** On servers that are there; they are closed with it. */
  static OurSink on(DevStack stack, ShippedConnector shipped, Progress progress) throws Exception {
    var sink = new OurSink(stack, shipped, connections(stack));
    progress.step("ours: databases of %,d shards".formatted(sink.topology.shards().count()));
    sink.createInstance();
    return sink;
  }

  @Override
  public String name() {
    return "ours";
  }

  /** As it is shipped: whoever wants to know how far the sink has come asks for its group. */
  @Override
  public String connectorName() {
    return topology.instance() + "-sink";
  }

  @Override
  public String code() {
    return "io.cellmesh.";
  }

  @Override
  public DevStack stack() {
    return stack;
  }

  @Override
  public String topic() {
    return topology.topics().cells();
  }

  @Override
  public int partitions() {
    return PARTITIONS;
  }

  Topology topology() {
    return topology;
  }

  @Override
  public byte[] record(BenchCell cell) {
    return cell.envelope();
  }

  @Override
  public void produced(BenchCell cell, int partition, long offset) {
    offsets.add(partition, offset, owner(cell));
  }

  /** The place of a cell's cluster in the topology. */
  int owner(BenchCell cell) {
    return topology.clusters().indexOf(topology.clusterOf(topology.shards().of(cell.rowKey())));
  }

  /**
   * As shipped. The one thing that is set: like the peer it speaks to MySQL without TLS, on
   * loopback.
   */
  @Override
  public Map<String, String> connector() throws Exception {
    var config =
        new HashMap<>(shipped.render(topology, stack.broker(Servers.DATACENTER).bootstrap()));
    config.put("mysql.ssl.mode", "DISABLED");
    return config;
  }

  @Override
  public long visible() throws SQLException {
    long visible = 0;
    for (int owner = 0; owner < masters.size(); owner++) {
      for (var position : positions(owner, CELLS).entrySet()) {
        visible += offsets.below(position.getKey(), owner, position.getValue());
      }
    }
    return visible;
  }

  /** The next offset of each partition on a master, as {@link #positionQuery} has it. */
  Map<Integer, Long> positions(int owner, String topic) throws SQLException {
    try (var statement = masters.get(owner).createStatement();
        var rows = statement.executeQuery(positionQuery(topic))) {
      return positions(rows);
    }
  }

  static Map<Integer, Long> positions(ResultSet rows) throws SQLException {
    var positions = new HashMap<Integer, Long>();
    while (rows.next()) {
      positions.put(rows.getInt(1), rows.getLong(2));
    }
    return positions;
  }

  @Override
  public long count() throws SQLException {
    long count = 0;
    for (int owner = 0; owner < masters.size(); owner++) {
      try (var statement = masters.get(owner).createStatement()) {
        for (int shard : topology.clusters().get(owner).shards().stream().toArray()) {
          count += number(statement, "SELECT COUNT(*) FROM " + entity(shard));
        }
      }
    }
    return count;
  }

  String entity(int shard) {
    return Names.database(topology.instance(), shard) + ".entity";
  }

  @Override
  public void close() {
    stack.close();
  }

  static long number(Statement statement, String sql) throws SQLException {
    try (ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  /** The master of a cluster, by its place in the topology. */
  MySqlServer master(int owner) {
    return stack.clusters(Servers.DATACENTER).get(owner).master();
  }

  /**
   * Finds the next offset of each partition on a master.
   *
   * @param topic {@link #CELLS} or {@link #MESH}
   */
  String positionQuery(String topic) {
    return "SELECT partition_no, "
        + topic
        + " FROM "
        + Names.metaDatabase(topology.instance())
        + ".position";
  }

  private static List<Connection> connections(DevStack stack) throws SQLException {
    var connections = new ArrayList<Connection>();
    for (var cluster : stack.clusters(Servers.DATACENTER)) {
      connections.add(cluster.master().connect());
    }
    return connections;
  }

  private void createInstance() throws Exception {
    try (var pools = new Pools(new Credentials("root", ""))) {
      for (var cluster : topology.clusters()) {
        new InstanceSchema(topology, pools).create(cluster, shards -> {});
      }
    }
    var topics = topology.topics();
    stack
        .broker(Servers.DATACENTER)
        .create(
            new NewTopic(topics.mesh(), PARTITIONS, (short) 1),
            new NewTopic(topics.rejected(), PARTITIONS, (short) 1));
  }
}
