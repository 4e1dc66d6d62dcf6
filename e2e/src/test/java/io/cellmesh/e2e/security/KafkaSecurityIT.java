package io.cellmesh.e2e.security;

import static io.cellmesh.operations.grants.KafkaRole.HERB_REPLICATOR;
import static io.cellmesh.operations.grants.KafkaRole.INDEX_STREAMS;
import static java.util.EnumSet.complementOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Origin;
import io.cellmesh.connect.client.ConnectorStatus;
import io.cellmesh.e2e.Command;
import io.cellmesh.operations.grants.KafkaRole;
import io.cellmesh.stack.StateDirectory;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.RejectionSearch;
import io.cellmesh.worker.Worker;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kafka with SASL_SSL and one user a role, who may what {@code grants --kafka} printed; Connect
 * with a password. Each does its work, and without a line of them says what is missing.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class KafkaSecurityIT {
  /** A command waits 15 s for each answer that a refused right keeps back. */
  private static final Duration SOON = Duration.ofSeconds(180);

  private static final String INDEX = "driver_partner_index";
  private static final String INDEX_SINK = "trips-index-sink-p1";

  @TempDir private static Path files;

  private static AclStack stack;

  @BeforeAll
  static void start() throws Exception {
    stack = new AclStack(files);
  }

  @AfterAll
  static void stop() throws Exception {
    if (stack != null) {
      stack.close();
    }
  }

  @Test
  @Order(1)
  void nobody_does_anything_without_acls() {
    var create = stack.as(KafkaRole.OPERATOR, "instance", "create");

    assertThat(create.exit()).isEqualTo(3);
    assertThat(create.err()).contains("Kafka", "trips.", "grants --kafka --role operator");
  }

  @Test
  @Order(2)
  void with_what_grants_prints_each_role_does_its_work() throws Exception {
    for (var role : complementOf(EnumSet.of(INDEX_STREAMS, HERB_REPLICATOR))) {
      for (var line : stack.grants(role)) {
        stack.allow(line);
      }
    }
    stack.as(KafkaRole.OPERATOR, "instance", "create").succeeded();
    stack.startWorker();
    stack.post();

    put().succeeded();
    stack.as(KafkaRole.PRODUCER, "load", "--trips", "20").succeeded();
    stack.as(KafkaRole.OPERATOR, "verify").succeeded();
    stack.as(KafkaRole.OPERATOR, "status").succeeded();
    var tail = stack.as(KafkaRole.CONSUMER, "tail", "--from-beginning", "--json");
    assertThat(tail.exit()).as(tail.err()).isZero();
    assertThat(tail.out().lines().count()).isGreaterThan(20);
  }

  @Test
  @Order(3)
  void no_role_does_the_work_of_another() {
    assertThat(stack.as(KafkaRole.PRODUCER, "tail").err())
        .contains("user cellmesh_producer may not Describe topic trips.log");
    var load = stack.as(KafkaRole.CONSUMER, "load", "--trips", "1");
    assertThat(load.exit()).isEqualTo(3);
    assertThat(load.err()).contains("user cellmesh_consumer may not Write topic trips.cells");
  }

  @Test
  @Order(4)
  void a_command_names_the_right_that_its_user_lacks() throws Exception {
    without(
        KafkaRole.PRODUCER,
        "trips.cells",
        () ->
            assertThat(put().err())
                .contains("user cellmesh_producer may not Write topic trips.cells"));
    without(
        KafkaRole.CONSUMER,
        "trips.log",
        () ->
            assertThat(stack.as(KafkaRole.CONSUMER, "tail").err())
                .contains("user cellmesh_consumer may not", "topic trips.log"));
    without(
        KafkaRole.OPERATOR,
        "connect-trips-",
        () -> {
          var verify = stack.as(KafkaRole.OPERATOR, "verify");
          assertThat(verify.exit()).isEqualTo(3);
          assertThat(verify.err()).contains("may not Describe group connect-trips-sink");
        });
    without(
        KafkaRole.OPERATOR,
        "trips.",
        () -> {
          var verify = stack.as(KafkaRole.OPERATOR, "verify");
          assertThat(verify.exit()).isEqualTo(3);
          assertThat(verify.err()).contains("user cellmesh_operator may not Describe topic trips.");
        });
    put().succeeded();
  }

  @Test
  @Order(5)
  @Tag("full")
  void status_names_the_right_that_a_connector_lacks() throws Exception {
    failing("trips-sink", KafkaRole.SINK, "connect-trips-sink", "Read on the group");
    failing("trips-sink", KafkaRole.SINK, "trips.cells", "Read on the topic");
    failing("trips-source-c1", KafkaRole.SOURCE, "trips.log", "Write on the topic");
    failing(
        "trips-source-c1",
        KafkaRole.SOURCE,
        "dc1-connect-trips-source-",
        "Write on its transactional ids");
    put().succeeded();
  }

  @Test
  @Order(6)
  void a_sink_that_may_not_look_at_its_topics_is_refused_when_it_is_posted() throws Exception {
    var client = stack.stack().worker("dc1").client();
    Map<String, String> config = client.config("trips-sink");
    without(
        KafkaRole.SINK,
        "trips.mesh",
        () ->
            assertThat(client.validate(config).toString())
                .contains("kafka.bootstrap.servers", "trips.mesh", "Describe"));
    startAnew("trips-sink");
  }

  @Test
  @Order(7)
  @Tag("full")
  void index_streams_names_each_right_until_it_has_all_and_then_keeps_the_index() throws Exception {
    var state = files.resolve("index-streams").toString();
    var app =
        stack.start(INDEX_STREAMS, "io.cellmesh.index.IndexStreamsMain", "--state-dir", state);
    var definition = StateDirectory.home().resolve("connectors/indexes/" + INDEX + ".yaml");
    var created =
        CompletableFuture.supplyAsync(
            () ->
                stack.as(
                    KafkaRole.OPERATOR,
                    "index",
                    "create",
                    definition.toString(),
                    "--from",
                    "tables"));
    var rights =
        List.of(
            new Right("trips.passes", "Read topic trips.passes"),
            new Right("trips.index-backfill.", "Read topic trips.index-backfill.p1"),
            new Right("trips.index.", "Write topic trips.index." + INDEX + " at"),
            new Right("trips.log", "Read topic trips.log"),
            new Right("trips.unindexed", "Write topic trips.unindexed"),
            new Right(
                "--topic 'trips-index-", "Read, Write, Create topic trips-index-p1-rows-changelog"),
            new Right("--group 'trips-index-", "Read group trips-index-p1"));
    allowOneAfterTheOther(INDEX_STREAMS, rights, app.log());
    created.get().succeeded();

    var driver = UUID.randomUUID();
    without(
        INDEX_STREAMS,
        "trips.index.",
        () -> {
          trip(driver).succeeded();
          awaitSaid(
              app.log(),
              "another thread takes over in 2 s: user cellmesh_index_streams may not Write topic trips.index."
                  + INDEX);
        });
    await()
        .atMost(SOON)
        .untilAsserted(
            () -> {
              var query =
                  stack.as(
                      KafkaRole.OPERATOR,
                      "query",
                      INDEX,
                      "--where",
                      "driver_partner_uuid=" + driver);
              assertThat(query.out()).contains("2026-01-31");
            });
  }

  @Test
  @Order(8)
  @Tag("full")
  void status_names_the_right_that_an_index_sink_lacks() throws Exception {
    failing(INDEX_SINK, KafkaRole.INDEX, "connect-trips-index-sink-", "Read on the group");
    failing(INDEX_SINK, KafkaRole.INDEX, "trips.index.", "Read on the topic");
    failing(INDEX_SINK, KafkaRole.INDEX, "trips.unindexed", "Write on the topic: trips.unindexed");
  }

  @Test
  @Order(9)
  @Tag("full")
  void a_link_names_each_right_until_it_has_all_and_then_brings_the_cells() throws Exception {
    var app = stack.start(HERB_REPLICATOR, "io.cellmesh.herb.HerbReplicatorMain");
    var here = stack.stack().broker("dc1").bootstrap();
    var there = stack.peer().broker().bootstrap();
    var rights =
        List.of(
            Right.unsaid(here, "trips.seed.'"),
            Right.unsaid(there, "trips.seed.dc1'"),
            Right.unsaid(here, "trips.cells'"),
            new Right("trips.mesh'", "Write topic trips.mesh at " + here),
            new Right("trips.rejected'", "Write topic trips.rejected at " + here),
            new Right(
                here, "trips.mesh-place'", "Read, Write, Create topic trips.mesh-place at " + here),
            new Right(there, "trips.log'", "Read topic trips.log at " + there),
            new Right(there, "trips.mesh-place'", "Read topic trips.mesh-place at " + there),
            new Right(here, "trips.log'", "Read topic trips.log at " + here),
            new Right(here, "trips.checkpoint'", "Read topic trips.checkpoint at " + here),
            new Right(
                "transactional-id 'trips-proof-'",
                "Write transactional-id trips-proof-* at " + here),
            new Right("group 'trips-proof-'", "Read group trips-proof-* at " + here),
            new Right(there, "trips.checkpoint'", "Read topic trips.checkpoint at " + there),
            new Right("trips-herb-dc1'", "Read group trips-herb-dc1 at " + there),
            new Right(
                "group 'connect-trips-sink'", "Describe group connect-trips-sink at " + here));
    allowOneAfterTheOther(HERB_REPLICATOR, rights, app.log());
    without(
        HERB_REPLICATOR,
        "trips.cells",
        () -> {
          app.stop();
          app.restart();
          awaitSaid(
              app.log(),
              "links don't see whether own cells come, so a peer's backlog may take more than its share: user cellmesh_herb_replicator may not Describe topic trips.cells at "
                  + here);
        });

    var row = UUID.randomUUID();
    var cell =
        new Cell(
            new CellKey(row, "BASE", 1),
            Body.ofJson("{\"from\":\"dc2\"}"),
            Optional.of(new Origin(PeerKafka.NAME, 1)));
    stack.peer().log(cell, stack.stack().topology("dc1").shards().of(row));
    await()
        .atMost(SOON)
        .untilAsserted(
            () -> {
              var get = stack.as(KafkaRole.OPERATOR, "get", row.toString());
              assertThat(get.out())
                  .as("%s %s", get.err(), Files.readString(app.log()))
                  .contains("dc2");
            });
  }

  /**
   * A line of what is printed for a role, and what is said without it.
   *
   * @param brokers of whom the line is; empty if it needs no saying
   * @param said empty of what is not needed at first
   */
  private record Right(String brokers, String resource, String said) {
    Right(String resource, String said) {
      this("", resource, said);
    }

    static Right unsaid(String brokers, String resource) {
      return new Right(brokers, resource, "");
    }

    boolean isOf(String line) {
      return line.contains(brokers) && line.contains(resource);
    }
  }

  /**
   * What it asks while a master is away, or of a record that was rejected, is asked here by itself.
   */
  @Test
  @Order(10)
  void a_worker_writes_cells_and_says_what_became_of_them_as_far_as_it_may_know() throws Exception {
    var dc = stack.deployment(KafkaRole.WORKER).datacenters().get(0);
    var here = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (var worker = Worker.start(here, List.of(dc))) {
      await().atMost(SOON).until(() -> WorkerAnswer.get(worker, "/readyz").status() == 200);
      var put = WorkerAnswer.put(worker, "wait=visible");
      assertThat(put.status()).as(put.body()).isEqualTo(200);
      without(
          KafkaRole.WORKER,
          "trips.cells",
          () -> assertThat(WorkerAnswer.put(worker, "deadline=3000").status()).isEqualTo(503));
    }
    try (var admin = Consumers.admin(dc.kafka())) {
      var group = "connect-trips-sink";
      assertThat(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get())
          .isNotEmpty();
      without(
          KafkaRole.WORKER,
          group,
          () ->
              assertThatThrownBy(
                      () ->
                          admin
                              .listConsumerGroupOffsets(group)
                              .partitionsToOffsetAndMetadata()
                              .get())
                  .hasMessageContaining("GroupAuthorizationException"));
    }
    var reasons = new RejectionSearch(dc.kafka(), dc.topology().topics());
    assertThat(reasons.reason(0, 0, Instant.now(), Duration.ofMillis(100))).isEmpty();
    without(
        KafkaRole.WORKER,
        "trips.rejected",
        () ->
            assertThatThrownBy(() -> reasons.reason(0, 0, Instant.now(), Duration.ofMillis(100)))
                .hasMessageContaining(
                    "user cellmesh_worker may not Describe topic trips.rejected"));
  }

  /** Each line is printed, and its lack is told as long as it is not run. */
  private static void allowOneAfterTheOther(KafkaRole role, List<Right> rights, Path log)
      throws Exception {
    var lines = stack.grants(role);
    assertThat(lines).hasSameSizeAs(rights);
    for (var right : rights) {
      if (!right.said().isEmpty()) {
        awaitSaid(log, "user %s may not %s".formatted(role.user(), right.said()));
        assertThat(Files.readString(log)).contains("grants --kafka --role " + role.text());
      }
      var line = lines.stream().filter(right::isOf).toList();
      assertThat(line).as(right.toString()).hasSize(1);
      stack.allow(line.get(0));
    }
  }

  private static void awaitSaid(Path log, String text) {
    await().atMost(SOON).untilAsserted(() -> assertThat(Files.readString(log)).contains(text));
  }

  private static Command trip(UUID driver) {
    return stack.as(
        KafkaRole.PRODUCER,
        "put",
        "new",
        "BASE",
        "1",
        "{\"driver_partner_uuid\":\"%s\",\"city_uuid\":\"%s\",\"trip_created_at\":\"2026-01-31T12:00:00Z\"}"
            .formatted(driver, driver));
  }

  /** Each with its task started again, as after a worker's restart. */
  private static void failing(String connector, KafkaRole role, String resource, String right)
      throws Exception {
    var client = stack.stack().worker("dc1").client();
    without(
        role,
        resource,
        () -> {
          client.restart(connector);
          await()
              .atMost(SOON)
              .pollInterval(Duration.ofSeconds(2))
              .untilAsserted(
                  () -> {
                    stack.as(KafkaRole.PRODUCER, "put", "new", "BASE", "1", "{}").succeeded();
                    var status = stack.as(KafkaRole.OPERATOR, "status");
                    assertThat(status.exit()).isNotZero();
                    assertThat(status.out())
                        .contains(
                            "its Kafka user lacks " + right,
                            "grants --kafka --role " + role.text());
                  });
        });
    startAnew(connector);
  }

  /** Its task may have failed for want of a right that it has again. */
  private static void startAnew(String connector) {
    var client = stack.stack().worker("dc1").client();
    client.restart(connector);
    await()
        .atMost(SOON)
        .until(() -> client.status(connector).filter(ConnectorStatus::isRunning).isPresent());
  }

  private interface Check {
    void run() throws Exception;
  }

  /** Without one line of what is printed for a role. */
  private static void without(KafkaRole role, String resource, Check check) throws Exception {
    var line = stack.grant(role, resource);
    stack.forbid(line);
    try {
      check.run();
    } finally {
      stack.allow(line);
    }
  }

  private static Command put() {
    return stack.as(
        KafkaRole.PRODUCER,
        "put",
        UUID.randomUUID().toString(),
        "BASE",
        "1",
        "{\"fare\":1}",
        "--wait");
  }
}
