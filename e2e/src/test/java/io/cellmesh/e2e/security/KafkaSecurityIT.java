package io.cellmesh.e2e.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.connect.client.ConnectorStatus;
import io.cellmesh.e2e.Command;
import io.cellmesh.operations.grants.KafkaRole;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
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
    for (var role : KafkaRole.values()) {
      for (var line : stack.grants(role)) {
        stack.tool().run(line);
      }
    }
    succeeds(stack.as(KafkaRole.OPERATOR, "instance", "create"));
    stack.startWorker();
    stack.post();

    succeeds(put());
    succeeds(stack.as(KafkaRole.PRODUCER, "load", "--trips", "20"));
    var verified = stack.as(KafkaRole.OPERATOR, "verify");
    assertThat(verified.exit()).as(verified.out() + verified.err()).isZero();
    var status = stack.as(KafkaRole.OPERATOR, "status");
    assertThat(status.exit()).as(status.out() + status.err()).isZero();
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
    succeeds(put());
  }

  @Test
  @Order(5)
  void status_names_the_right_that_a_connector_lacks() throws Exception {
    failing("trips-sink", KafkaRole.SINK, "connect-trips-sink", "Read on the group");
    failing("trips-sink", KafkaRole.SINK, "trips.cells", "Read on the topic");
    failing("trips-source-c1", KafkaRole.SOURCE, "trips.log", "Write on the topic");
    failing(
        "trips-source-c1",
        KafkaRole.SOURCE,
        "dc1-connect-trips-source-",
        "Write on its transactional ids");
    succeeds(put());
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
                    succeeds(stack.as(KafkaRole.PRODUCER, "put", "new", "BASE", "1", "{}"));
                    var status = stack.as(KafkaRole.OPERATOR, "status");
                    assertThat(status.exit()).isNotZero();
                    assertThat(status.out())
                        .contains(
                            "its Kafka user lacks " + right,
                            "grants --kafka --role " + role.text());
                  });
        });
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
    stack.tool().undo(line);
    try {
      check.run();
    } finally {
      stack.tool().run(line);
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

  private static void succeeds(Command command) {
    assertThat(command.exit()).as(command.out() + command.err()).isZero();
  }
}
