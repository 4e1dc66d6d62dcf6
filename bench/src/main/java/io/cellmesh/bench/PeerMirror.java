package io.cellmesh.bench;

import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.KafkaBroker;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;

/**
 * MirrorMaker 2 in a worker of the destination, as its documentation has it, and behind it
 * Debezium's JDBC sink in the same worker.
 */
final class PeerMirror implements MeshWay {
  private static final String CONNECTOR = "mirror";
  private static final String LINGER = "producer.override.linger.ms";
  private static final String BACKLOG_LINGER = "20";
  private static final String STREAM_LINGER = "0";

  private final MeshServers servers;
  private final PeerSink sink;
  private final ConnectorDriver sinkDriver;
  private final ConnectorDriver mirror = new ConnectorDriver(this);
  private Load load = Load.BACKLOG;
  private boolean created;
  private long produced;

  PeerMirror(MeshServers servers) throws SQLException {
    this.servers = servers;
    this.sink = PeerSink.on(servers.stack());
    this.sinkDriver = new ConnectorDriver(sink);
  }

  @Override
  public String name() {
    return "mm2 + jdbc";
  }

  @Override
  public DevStack stack() {
    return servers.stack();
  }

  @Override
  public String code() {
    return "org.apache.kafka.connect.mirror.";
  }

  @Override
  public KafkaBroker broker() {
    return servers.broker(MeshServers.ORIGIN);
  }

  @Override
  public String topic() {
    return sink.topic();
  }

  @Override
  public int partitions() {
    return sink.partitions();
  }

  @Override
  public byte[] record(BenchCell cell) {
    return sink.record(cell);
  }

  @Override
  public synchronized void produced(BenchCell cell, int partition, long offset) {
    sink.produced(cell, partition, offset);
    produced++;
  }

  @Override
  public synchronized long produced() {
    return produced;
  }

  @Override
  public String connectorName() {
    return CONNECTOR;
  }

  /** The mirror's; the sink has what it has in {@code bench sink}. */
  @Override
  public Map<String, String> connector() {
    var config = new TreeMap<String, String>();
    config.put("connector.class", "org.apache.kafka.connect.mirror.MirrorSourceConnector");
    config.put("tasks.max", "2");
    config.put("topics", topic());
    config.put("source.cluster.alias", MeshServers.ORIGIN);
    config.put("target.cluster.alias", Servers.DATACENTER);
    config.put("source.cluster.bootstrap.servers", servers.farBootstrap());
    config.put("target.cluster.bootstrap.servers", servers.broker(Servers.DATACENTER).bootstrap());
    config.put(
        "replication.policy.class", "org.apache.kafka.connect.mirror.IdentityReplicationPolicy");
    config.put("replication.factor", "1");
    config.put("emit.offset-syncs.enabled", "false");
    config.put("sync.topic.acls.enabled", "false");
    config.put("sync.topic.configs.enabled", "false");
    config.put("refresh.topics.enabled", "false");
    config.put("source.consumer.receive.buffer.bytes", "-1");
    config.put("source.consumer.max.partition.fetch.bytes", Integer.toString(4 << 20));
    config.put("source.consumer.max.poll.records", "5000");
    config.put("producer.override.compression.type", "lz4");
    config.put("producer.override.batch.size", Integer.toString(256 << 10));
    config.put(LINGER, load == Load.BACKLOG ? BACKLOG_LINGER : STREAM_LINGER);
    for (var converter : new String[] {"key", "value", "header"}) {
      config.put(
          converter + ".converter", "org.apache.kafka.connect.converters.ByteArrayConverter");
    }
    return config;
  }

  /** Both connectors' settings, as they are printed. */
  Map<String, String> settings() {
    var settings = new TreeMap<String, String>();
    connector().forEach((name, value) -> settings.put("mirror: " + name, value));
    settings.put("mirror: " + LINGER, BACKLOG_LINGER + ", for latency " + STREAM_LINGER);
    sink.connector().forEach((name, value) -> settings.put("sink: " + name, value));
    return settings;
  }

  PeerSink sink() {
    return sink;
  }

  @Override
  public void begin() throws Exception {
    if (!created) {
      sinkDriver.create("STOPPED");
      mirror.create("STOPPED");
      created = true;
    }
    mirror.run();
    sinkDriver.run();
  }

  @Override
  public void hold() {
    mirror.rest();
  }

  @Override
  public void release(Load wanted) throws Exception {
    if (wanted != load) {
      load = wanted;
      mirror.change();
    }
    mirror.run();
  }

  @Override
  public void end() {
    mirror.rest();
    sinkDriver.rest();
  }

  @Override
  public String state() {
    return mirror.state() + "; its sink: " + sinkDriver.state();
  }

  @Override
  public long visible() throws SQLException {
    return sink.visible();
  }

  @Override
  public long count() throws SQLException {
    return sink.count();
  }

  @Override
  public Landing landing() throws SQLException {
    return RowMonitor.start(sink.server());
  }

  /** What is shared is closed by whoever made it. */
  @Override
  public void close() {}
}
