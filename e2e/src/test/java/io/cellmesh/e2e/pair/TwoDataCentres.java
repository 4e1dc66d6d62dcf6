package io.cellmesh.e2e.pair;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.InstanceNames;
import io.cellmesh.cell.Names;
import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.connect.client.ConnectorStatus;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.JavaApp;
import io.cellmesh.e2e.Command;
import io.cellmesh.e2e.Rejections;
import io.cellmesh.e2e.fuzz.RandomEnvelopes.Drawn;
import io.cellmesh.operations.IndexFile;
import io.cellmesh.operations.verify.IngestArchive;
import io.cellmesh.stack.Stack;
import io.cellmesh.stack.StackOptions;
import io.cellmesh.stack.StateDirectory;
import io.cellmesh.stack.chaos.Account;
import io.cellmesh.stack.chaos.IndependentCheck;
import io.cellmesh.stack.chaos.RetentionAtCommit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Two data centres with an index, and what is to be seen of them without the product's readers. */
final class TwoDataCentres implements AutoCloseable {
  private static final int LARGE = 32 << 20;
  private static final String SINK = InstanceNames.cellSink("trips");

  private final Stack stack;
  private final Map<String, RetentionAtCommit> retention = new LinkedHashMap<>();

  private TwoDataCentres(Stack stack) {
    this.stack = stack;
  }

  /**
   * @param state where data and logs are to be
   */
  static TwoDataCentres start(Path state) throws Exception {
    var indexes = StateDirectory.home().resolve("connectors").resolve("indexes");
    var options = new StackOptions(Optional.of(state), 2, 8, 4, IndexFile.readAll(indexes));
    return new TwoDataCentres(Stack.start(options, Command.silent().steps()));
  }

  /** From now on what the sink has committed goes from the ingest topics. */
  void expireAtCommit() throws Exception {
    for (var dc : datacenters()) {
      var archive = stack.devStack().stateDir().resolve(dc.name() + "-archive");
      var topics = dc.topology().topics();
      retention.put(dc.name(), RetentionAtCommit.start(dc.kafka(), topics, SINK, archive));
    }
  }

  DevStack servers() {
    return stack.devStack();
  }

  Deployment deployment() throws IOException {
    return stack.deployment();
  }

  List<DataCenter> datacenters() throws IOException {
    return stack.deployment().datacenters();
  }

  DataCenter datacenter(int number) throws IOException {
    return datacenters().get(number);
  }

  Command command(String... words) {
    return Command.on(stack.devStack().stateDir(), words);
  }

  /** Sends a record where its row belongs; the producer compresses it. */
  RecordMetadata send(DataCenter dc, String topic, UUID row, String value) throws Exception {
    var config =
        Map.<String, Object>of(
            "bootstrap.servers",
            dc.kafka().bootstrap(),
            "compression.type",
            "gzip",
            "buffer.memory",
            2L * LARGE,
            "max.request.size",
            LARGE);
    Shards shards = dc.topology().shards();
    int partition = shards.partitionOf(shards.of(row));
    try (var producer =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      return producer
          .send(new ProducerRecord<>(topic, partition, bytes(row.toString()), bytes(value)))
          .get();
    }
  }

  /** Sends records in this order, each where its row belongs. */
  void sendAll(DataCenter dc, String topic, List<Drawn> records) throws Exception {
    Shards shards = dc.topology().shards();
    try (var producer =
        new KafkaProducer<>(
            Map.<String, Object>of(
                "bootstrap.servers", dc.kafka().bootstrap(), "max.request.size", LARGE),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (var drawn : records) {
        var row = UUID.fromString(new String(drawn.key(), StandardCharsets.US_ASCII));
        int partition = shards.partitionOf(shards.of(row));
        producer.send(new ProducerRecord<>(topic, partition, drawn.key(), drawn.value()));
      }
      producer.flush();
    }
  }

  /** Lets nothing go between the data centres, until {@link #letLinksGo}. */
  void holdLinks() throws Exception {
    for (var dc : datacenters()) {
      links(dc).pause();
    }
  }

  void letLinksGo() throws Exception {
    for (var dc : datacenters()) {
      links(dc).resume();
    }
  }

  private JavaApp links(DataCenter dc) {
    return stack.devStack().app(dc.name() + "-herb-replicator");
  }

  /** How many cells of a column a data centre has. */
  long cells(DataCenter dc, String column) throws SQLException {
    var topology = dc.topology();
    long cells = 0;
    for (int shard = 0; shard < topology.shards().count(); shard++) {
      var sql =
          "SELECT COUNT(*) FROM %s.entity WHERE column_name = '%s'"
              .formatted(Names.database(topology.instance(), shard), column);
      try (var connection = connect(topology.clusterOf(shard).master());
          var statement = connection.createStatement();
          var rows = statement.executeQuery(sql)) {
        rows.next();
        cells += rows.getLong(1);
      }
    }
    return cells;
  }

  static Connection connect(Server server) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:mysql://%s/?user=root&sslMode=DISABLED&allowPublicKeyRetrieval=true"
            .formatted(server.address()));
  }

  /**
   * Reads who the members of a sink's group are. Others than before had to join anew, as after a
   * session that a machine was too slow to keep: what their partitions had brought since the last
   * commit came again, and what of it is no cell is told again.
   */
  Set<String> sinkMembers(DataCenter dc) throws Exception {
    try (var admin = Admin.create(dc.kafka().client())) {
      return admin.describeConsumerGroups(List.of(SINK)).all().get().get(SINK).members().stream()
          .map(MemberDescription::consumerId)
          .collect(Collectors.toSet());
    }
  }

  /** How often each place of the ingest topics was told as rejected, and for which reason. */
  Map<String, List<String>> told(DataCenter dc) {
    return Rejections.read(dc.kafka());
  }

  /**
   * What became of each record since {@link #expireAtCommit} and of those that were there then,
   * without the product's own readers.
   */
  IndependentCheck check() throws Exception {
    var archives = new HashMap<String, IngestArchive>();
    var known = new HashMap<String, Map<UUID, Long>>();
    for (var dc : retention.entrySet()) {
      dc.getValue().awaitArchived();
      archives.put(dc.getKey(), dc.getValue().archive());
      known.put(dc.getKey(), Map.of());
    }
    return new IndependentCheck(datacenters(), archives, known);
  }

  /**
   * Everything was stored or rejected, in both data centres, and nothing was told that is not so.
   */
  void requireClean() throws Exception {
    var check = check();
    var accounts = check.run();
    assertThat(check.offences()).isEmpty();
    assertThat(accounts).allMatch(Account::isClean);
  }

  /** No connector and no task has failed, and every application is up. */
  void requireRunning() throws Exception {
    for (var dc : datacenters()) {
      var connect = stack.devStack().worker(dc.name()).client();
      for (var name : connect.connectors()) {
        var status = connect.status(name).orElseThrow();
        assertThat(status.isRunning()).as("%s %s: %s", dc.name(), name, status).isTrue();
        assertThat(Optional.of(status).flatMap(ConnectorStatus::failure)).as(name).isEmpty();
      }
      for (var app : List.of("-herb-replicator", "-index-streams")) {
        assertThat(stack.devStack().app(dc.name() + app).isAlive()).as(dc.name() + app).isTrue();
      }
    }
    var status = command("status");
    assertThat(status.exit()).as(status.out() + status.err()).isZero();
  }

  @Override
  public void close() {
    retention.values().forEach(RetentionAtCommit::close);
    stack.close();
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
