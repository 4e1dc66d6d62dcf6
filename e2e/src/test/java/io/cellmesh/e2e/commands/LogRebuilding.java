package io.cellmesh.e2e.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.e2e.Command;
import io.cellmesh.operations.instance.InstanceTopics;
import io.cellmesh.stack.Stack;
import io.cellmesh.stack.demo.TripGenerator;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.HeaderText;
import io.cellmesh.topics.LogShape;
import io.cellmesh.topics.PartitionReader;
import io.cellmesh.topics.TopicOffsets;
import io.cellmesh.topics.TriggerTopicReach;
import io.cellmesh.topics.TriggerTopicReader;
import io.cellmesh.topics.load.CellProducer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * A real data centre whose log is rebuilt while cells keep coming. What a rebuild takes up of some
 * shards, and of an earlier one, RebuildPlanTest and LogRebuildTest say in every build, and
 * CellSourceTaskIT what the source does then.
 */
@TestInstance(Lifecycle.PER_CLASS)
@TestMethodOrder(OrderAnnotation.class)
abstract class LogRebuilding {
  private static final String COLUMN = "STATUS";

  private final Stack stack;
  private Deployment deployment;

  LogRebuilding(Stack stack) {
    this.stack = stack;
  }

  @BeforeAll
  void load() throws Exception {
    deployment = stack.deployment();
    load(1, 500);
    // A cell repeats in the log only if it was there before the rebuild began.
    assertThat(logged().required("records").asLong()).isPositive();
  }

  @Test
  @Order(1)
  void withoutAPersonAndWithoutYesNothingIsChanged() {
    var run = run("log", "rebuild");

    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.out()).contains("c1: trips-source-c1 is stopped and reads shards 0-3 again");
    assertThat(run.err()).contains("nothing was changed");
    assertThat(run("log", "status").out()).contains("RUNNING").doesNotContain("remain");
  }

  @Test
  @Order(2)
  void byFirstOccurrenceTheLogIsTheTablesAlthoughCellsKeptComing() throws Exception {
    var meanwhile = CompletableFuture.runAsync(() -> load(2, 1000));

    var run = run("log", "rebuild", "--yes");

    assertThat(run.exit()).as(run.out() + run.err()).isZero();
    assertThat(run.out()).contains("c1: rebuilt", "c2: rebuilt");
    meanwhile.get();
    assertThat(logged().required("repeated").asLong()).isPositive();
  }

  @Test
  @Order(3)
  @Tag("full")
  void someShardsOfOneClusterAreRebuiltFromItsStoredOffset() throws Exception {
    var before = logged().required("records").asLong();

    var run = run("log", "rebuild", "--cluster", "c1", "--shards", "1-2", "--yes");

    assertThat(run.exit()).as(run.out() + run.err()).isZero();
    assertThat(logged().required("records").asLong()).isGreaterThan(before);
  }

  @Test
  @Order(4)
  @Tag("full")
  void aRebuildThatWasLeftHalfDoneAndStoppedGoesOn() throws Exception {
    var connect = stack.devStack().worker("dc1").client();
    var name = "trips-source-c1";
    connect.stop(name);
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> connect.status(name).orElseThrow().tasks().isEmpty());
    var stored = connect.offsets(name).at("/offsets/0/offset/gtids").asText();
    connect.alterOffsets(
        name,
        "{\"offsets\":[{\"partition\":{\"server\":\"trips.dc1.c1\"},\"offset\":{\"rebuild\":\"2-3\",\"gtids\":\"%s\"}}]}"
            .formatted(stored));
    assertThat(run("log", "status").out()).contains("STOPPED", "shards 2-3 remain");

    var run = run("log", "rebuild", "--cluster", "c1");

    assertThat(run.exit()).as(run.out() + run.err()).isZero();
    assertThat(run.out()).contains("a rebuild is in progress and goes on", "shards 2-3 remain");
    logged();
  }

  @Test
  @Order(5)
  void aColumnsTopicThatBeganLaterIsWholeFromTheNextRebuildOn() throws Exception {
    try (var admin = Consumers.admin(kafka())) {
      new InstanceTopics(admin, topology().topics(), topology().shards(), (short) 1)
          .createForTriggers(List.of(COLUMN));
    }
    var connect = stack.devStack().worker("dc1").client();
    for (var name : List.of("trips-source-c1", "trips-source-c2")) {
      var config = new HashMap<>(connect.config(name));
      config.put("trigger.columns", COLUMN);
      connect.put(name, config);
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .until(
              () ->
                  connect.taskSetting(name, "trigger.columns").filter(COLUMN::equals).isPresent());
    }
    load(3, 50);
    logged();
    assertThat(reaches())
        .allSatisfy(
            reach -> {
              assertThat(reach.shortfalls()).isNotEmpty();
              assertThat(reach.beginning()).isEmpty();
            });

    var run = run("log", "rebuild", "--yes");

    assertThat(run.exit()).as(run.out() + run.err()).isZero();
    assertThat(run.out()).contains("Consumers of trips.log, trips.trigger.STATUS keep");
    logged();
    assertThat(reaches()).allSatisfy(reach -> assertThat(reach.shortfalls()).isEmpty());
  }

  @Test
  @Order(6)
  void afterADeletionTheLogIsExactlyTheTablesAndWhatComesThenBearsNoStamp() throws Exception {
    var run = run("log", "rebuild", "--delete-old", "--yes");

    assertThat(run.exit()).as(run.out() + run.err()).isZero();
    assertThat(run.out()).contains("are deleted for good");
    var logged = logged();
    assertThat(logged.required("repeated").asLong()).isZero();
    assertThat(logged.required("records")).isEqualTo(logged.required("cells"));
    assertThat(recordsByStamp()).containsOnly(entry(true, logged.required("records").asInt()));
    assertThat(reaches())
        .allSatisfy(
            reach -> {
              assertThat(reach.shortfalls()).isEmpty();
              assertThat(reach.beginning()).isPresent();
            });

    assertThat(triggerRecordsByStamp()).containsOnlyKeys(true);

    load(4, 20);

    int more = logged().required("records").asInt() - logged.required("records").asInt();
    assertThat(more).isPositive();
    assertThat(recordsByStamp())
        .containsOnly(entry(true, logged.required("records").asInt()), entry(false, more));
  }

  @Test
  @Order(7)
  void aConnectorThatIsMissingIsNamed() {
    stack.devStack().worker("dc1").client().delete("trips-source-c2");

    var run = run("log", "rebuild", "--yes");

    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.err()).contains("no source connector for cluster c2", "connectors render");
    assertThat(run("log", "status").exit()).isEqualTo(1);
  }

  /** What verify counted of the log, which it must find right. */
  private JsonNode logged() throws Exception {
    var run = run("verify", "--json");
    assertThat(run.exit()).as(run.out() + run.err()).isZero();
    for (var check : new ObjectMapper().readTree(run.out()).required("checks")) {
      if (check.required("check").asText().equals("LOGGED")) {
        return check.required("counts");
      }
    }
    throw new IllegalStateException(run.out());
  }

  /** How many records of the log are stamped, and how many are not. */
  private Map<Boolean, Integer> recordsByStamp() {
    try (var client = Consumers.open(kafka())) {
      return recordsByStamp(client, LogShape.PARTITION.all(topology()));
    }
  }

  /** The same of the column's topic. */
  private Map<Boolean, Integer> triggerRecordsByStamp() {
    try (var client = Consumers.open(kafka())) {
      var topic = TopicOffsets.of(client, topology().topics().trigger(COLUMN));
      return recordsByStamp(
          client, IntStream.range(0, topic.partitions()).mapToObj(topic::partition).toList());
    }
  }

  private static Map<Boolean, Integer> recordsByStamp(
      Consumer<byte[], byte[]> client, List<TopicPartition> partitions) {
    var counts = new HashMap<Boolean, Integer>();
    var begin = client.beginningOffsets(partitions);
    var end = client.endOffsets(partitions);
    for (var partition : partitions) {
      new PartitionReader(client)
          .read(
              partition,
              begin.get(partition),
              end.get(partition),
              record ->
                  counts.merge(
                      HeaderText.of(record.headers(), Envelope.REBUILT_HEADER).isPresent(),
                      1,
                      Integer::sum));
    }
    return counts;
  }

  private List<TriggerTopicReach> reaches() {
    try (var client = Consumers.open(kafka())) {
      return TriggerTopicReader.read(client, topology(), COLUMN);
    }
  }

  private Topology topology() {
    return deployment.datacenters().get(0).topology();
  }

  private KafkaAccess kafka() {
    return deployment.datacenters().get(0).kafka();
  }

  private void load(long seed, int trips) {
    try (var generator = new TripGenerator(seed, 0, trips);
        var producer = new CellProducer(kafka(), deployment.topics())) {
      for (var cell = generator.next(); cell.isPresent(); cell = generator.next()) {
        producer.send(cell.get(), place -> {});
      }
      producer.flush();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private Command run(String... args) {
    return Command.on(stack.devStack().stateDir(), args);
  }
}
