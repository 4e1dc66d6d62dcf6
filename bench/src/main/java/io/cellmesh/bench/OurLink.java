package io.cellmesh.bench;

import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.DevStackException;
import io.cellmesh.devstack.JavaApp;
import io.cellmesh.devstack.KafkaBroker;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * A link of herb-replicator from the origin's log into the mesh topic, and from there the shipped
 * sink over two masters. Both transports go on at the same place, one after the other.
 *
 * <p>Cells are visible once the position of their partition has passed them; the positions are
 * those of the mesh topic, which runs beside the log at a distance that is known when all is at
 * rest.
 */
final class OurLink implements MeshWay {
  /** A link writes its place about once a second. */
  private static final CountWait PLACES =
      CountWait.atMost(Duration.ofSeconds(30), Duration.ofMillis(100));

  private static final CountWait SEEN =
      CountWait.atMost(Duration.ofSeconds(30), Duration.ofMillis(2));

  private final MeshServers servers;
  private final LinkTransport transport;
  private final OurSink sink;
  private final OriginLog log;
  private final ConnectorDriver sinkDriver;
  private final List<JavaApp> apps = new ArrayList<>();
  private final Map<Integer, Long> ahead = new HashMap<>();

  /**
   * @param sink whose connector is there, at rest
   */
  OurLink(MeshServers servers, LinkTransport transport, OurSink sink, OriginLog log) {
    this.servers = servers;
    this.transport = transport;
    this.sink = sink;
    this.log = log;
    this.sinkDriver = new ConnectorDriver(sink);
  }

  @Override
  public String name() {
    return transport.text();
  }

  @Override
  public DevStack stack() {
    return servers.stack();
  }

  @Override
  public String code() {
    return sink.code();
  }

  @Override
  public KafkaBroker broker() {
    return servers.broker(MeshServers.ORIGIN);
  }

  @Override
  public String topic() {
    return log.topic();
  }

  @Override
  public int partitions() {
    return MeshServers.PARTITIONS;
  }

  @Override
  public byte[] record(BenchCell cell) {
    return toProduce(cell).value();
  }

  @Override
  public ProducerRecord<byte[], byte[]> toProduce(BenchCell cell) {
    return log.record(cell);
  }

  @Override
  public void produced(BenchCell cell, int partition, long offset) {
    log.produced(partition, offset, sink.owner(cell));
  }

  @Override
  public long produced() {
    return log.produced();
  }

  @Override
  public Map<String, String> connector() throws Exception {
    return sink.connector();
  }

  @Override
  public void begin() throws Exception {
    sinkDriver.run();
    if (apps.isEmpty()) {
      if (transport == LinkTransport.HTTP) {
        apps.add(servers.serving());
      }
      apps.add(servers.link(transport));
    } else {
      apps.forEach(JavaApp::start);
    }
  }

  @Override
  public void hold() throws SQLException, InterruptedException {
    awaitPlaces();
    apps.forEach(JavaApp::pause);
    noteDistance();
  }

  @Override
  public void release(Load load) {
    apps.forEach(JavaApp::resume);
  }

  @Override
  public void end() throws SQLException, InterruptedException {
    awaitPlaces();
    for (int i = apps.size() - 1; i >= 0; i--) {
      apps.get(i).stop();
    }
    sinkDriver.rest();
  }

  @Override
  public String state() {
    var dead = apps.stream().filter(app -> !app.isAlive()).findFirst();
    return dead.map(app -> app.failure("has ended").getMessage())
        .orElseGet(() -> apps.get(apps.size() - 1).failure("runs").getMessage());
  }

  /** Waits until it is written that all has arrived: whoever goes on repeats nothing then. */
  private void awaitPlaces() throws SQLException, InterruptedException {
    PLACES.until(
        partitions(),
        () -> servers.places().stream().filter(place -> place.next() == place.end()).count(),
        written ->
            new DevStackException(
                "%s: the places of %d of %d partitions are the log's ends; %s"
                    .formatted(name(), written, partitions(), state())));
  }

  /** A link that began again may have said some cells twice, then and not since. */
  private void noteDistance() {
    try (var mesh = meshTopic();
        var origin = new LogTopic(broker(), topic(), MeshServers.PARTITIONS)) {
      var ends = origin.ends();
      mesh.ends()
          .forEach(
              (at, end) ->
                  ahead.put(
                      at.partition(), end - ends.get(new TopicPartition(topic(), at.partition()))));
    }
  }

  private LogTopic meshTopic() {
    return new LogTopic(
        servers.broker(Servers.DATACENTER),
        sink.topology().topics().mesh(),
        MeshServers.PARTITIONS);
  }

  @Override
  public long visible() throws SQLException {
    long visible = 0;
    for (int owner = 0; owner < OurSink.MASTERS; owner++) {
      for (var position : sink.positions(owner, OurSink.MESH).entrySet()) {
        int partition = position.getKey();
        long inLog = position.getValue() - ahead.getOrDefault(partition, 0L);
        visible += log.offsets().below(partition, owner, inLog);
      }
    }
    return visible;
  }

  @Override
  public long count() throws SQLException {
    return sink.count();
  }

  @Override
  public Landing landing() throws SQLException {
    return new Positions();
  }

  /** What is shared is closed by whoever made it. */
  @Override
  public void close() {}

  /** By the positions of the masters, and by what the mesh topic has, which is read afterwards. */
  private final class Positions implements Landing {
    private final LogTopic mesh = meshTopic();
    private final Map<TopicPartition, Long> begins = mesh.ends();
    private final List<PositionMonitor> monitors = new ArrayList<>();
    private final Map<UUID, Place> places = new HashMap<>();

    private record Place(int partition, long offset) {}

    Positions() throws SQLException {
      for (int owner = 0; owner < OurSink.MASTERS; owner++) {
        monitors.add(PositionMonitor.start(sink, owner, OurSink.MESH));
      }
    }

    @Override
    public long at(UUID rowKey) throws SQLException, InterruptedException {
      if (places.isEmpty()) {
        mesh.each(
            begins,
            record ->
                places.putIfAbsent(
                    UUID.fromString(new String(record.key(), StandardCharsets.US_ASCII)),
                    new Place(record.partition(), record.offset())));
      }
      var place = places.get(rowKey);
      var topology = sink.topology();
      int owner = topology.clusters().indexOf(topology.clusterOf(topology.shards().of(rowKey)));
      var monitor = monitors.get(owner);
      SEEN.until(
          1,
          () -> monitor.hasPassed(place.partition, place.offset) ? 1 : 0,
          none -> new DevStackException("no position has passed " + rowKey));
      return monitor.passed(place.partition, place.offset);
    }

    @Override
    public void close() {
      mesh.close();
      monitors.forEach(PositionMonitor::close);
    }
  }
}
