package io.cellmesh.herb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Origin;
import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topics;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.JavaApp;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What many instances in one process cost, between two real brokers. */
@Tag("full")
class CohortIT {
  private static final Path HOME = Path.of(System.getProperty("cellmesh.home"));
  private static final Shards SHARDS = new Shards(64, 2);
  private static final int INSTANCES = 50;
  private static final int CELLS = 20;

  /** Two foldings and a comparison. */
  private static final int PROOF_PARTS = 3;

  /** The one whose log is corrupt. */
  private static final String CORRUPT = "i07";

  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final double MIB = 1 << 20;

  private static final double MAX_LIVE_MIB = 4;

  private static final int MAX_THREADS = 15;

  @TempDir static Path dir;

  private static DevStack stack;

  @BeforeAll
  static void start() throws Exception {
    stack = MeshInstance.brokers(dir.resolve("stack"));
    for (var dc : List.of("dc1", "dc2")) {
      stack
          .broker(dc)
          .create(
              names(INSTANCES).stream()
                  .map(Topics::new)
                  .flatMap(
                      all -> Stream.of(all.mesh(), all.log(), all.rejected(), all.checkpoint()))
                  .map(topic -> new NewTopic(topic, SHARDS.partitions(), (short) 1))
                  .toArray(NewTopic[]::new));
    }
  }

  @AfterAll
  static void stop() {
    stack.close();
  }

  @Test
  void fifty_instances_in_one_process_are_cheap_and_one_corrupt_log_stops_no_other()
      throws Exception {
    int port = freePort();
    list(1);
    var app = app(port);
    patience().until(() -> running(port) == 1 && proving(port) == PROOF_PARTS);
    var alone = Cost.of(app.pid());

    long begin = System.nanoTime();
    list(INSTANCES);
    patience().until(() -> running(port) == INSTANCES);
    var began = Duration.ofNanos(System.nanoTime() - begin);
    patience().until(() -> proving(port) == INSTANCES * PROOF_PARTS);

    try (var producer =
        new KafkaProducer<>(
            Map.<String, Object>of("bootstrap.servers", stack.broker("dc2").bootstrap()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      producer.send(otherShards(CORRUPT));
      patience().until(() -> state(port, CORRUPT).equals("HALTED"));
      patience().until(() -> running(port) == INSTANCES - 1);
      for (int cell = 1; cell <= CELLS; cell++) {
        for (var instance : names(INSTANCES)) {
          producer.send(log(instance, SHARDS, cell));
        }
      }
    }
    patience().until(() -> arrived() == (INSTANCES - 1) * CELLS);
    patience().until(() -> health(port, "i08").at("/proof/mesh/folded").asInt() == CELLS);
    patience().until(() -> state(port, CORRUPT).equals("HALTED"));
    patience().until(() -> state(port, "i08").equals("RUNNING"));

    // What asks how far the sink is goes 10 s after the last cell.
    double most = alone.threads() + (INSTANCES - 1) * MAX_THREADS;
    patience().until(() -> Cost.threads(app.pid()) <= most);
    var all = Cost.of(app.pid());
    long end = System.nanoTime();
    app.stop();
    var ended = Duration.ofNanos(System.nanoTime() - end);
    var each = all.minus(alone).each(INSTANCES - 1);
    System.out.printf(
        "%d links: %s; one: %s; each more: %s; began in %d s, ended in %d s%n",
        INSTANCES, all, alone, each, began.toSeconds(), ended.toSeconds());
    assertThat(Files.readString(app.log())).contains("Stopped").doesNotContain("did not end");
    assertThat(each.threads()).isLessThanOrEqualTo(MAX_THREADS);
    assertThat(each.liveMiB()).isLessThan(MAX_LIVE_MIB);
  }

  /**
   * What a process takes.
   *
   * @param liveMiB of its heap, after a collection
   * @param residentMiB of the machine's memory, with its heap as far as it has grown
   */
  private record Cost(double threads, double liveMiB, double residentMiB) {
    private static final Pattern TOTAL = Pattern.compile("(?m)^Total +\\d+ +(\\d+)");

    static Cost of(long pid) throws IOException, InterruptedException {
      var jcmd = Path.of(System.getProperty("java.home"), "bin/jcmd");
      var histogram =
          new ProcessBuilder(jcmd.toString(), Long.toString(pid), "GC.class_histogram")
              .redirectErrorStream(true)
              .start();
      var text = new String(histogram.getInputStream().readAllBytes());
      histogram.waitFor();
      var live = TOTAL.matcher(text);
      assertThat(live.find()).as(text).isTrue();
      var status = Files.readString(Path.of("/proc/%d/status".formatted(pid)));
      return new Cost(
          field(status, "Threads"),
          Long.parseLong(live.group(1)) / MIB,
          field(status, "VmRSS") / 1024);
    }

    static double threads(long pid) throws IOException {
      return field(Files.readString(Path.of("/proc/%d/status".formatted(pid))), "Threads");
    }

    private static double field(String status, String name) {
      return Double.parseDouble(
          status
              .lines()
              .filter(line -> line.startsWith(name + ":"))
              .findFirst()
              .orElseThrow()
              .replaceAll("\\D", ""));
    }

    Cost minus(Cost other) {
      return new Cost(
          threads - other.threads, liveMiB - other.liveMiB, residentMiB - other.residentMiB);
    }

    Cost each(int parts) {
      return new Cost(threads / parts, liveMiB / parts, residentMiB / parts);
    }

    @Override
    public String toString() {
      return "%.1f threads, %.2f MiB live, %.2f MiB resident"
          .formatted(threads, liveMiB, residentMiB);
    }
  }

  private static List<String> names(int count) {
    return IntStream.range(0, count).mapToObj("i%02d"::formatted).toList();
  }

  private static void list(int instances) throws IOException {
    var list = new StringBuilder("dc: dc1\ninstances:\n");
    for (var name : names(instances)) {
      new DeploymentFiles(dir)
          .write(
              name,
              SHARDS.partitions(),
              stack.broker("dc1").bootstrap(),
              stack.broker("dc2").bootstrap());
      list.append("- {instance: %1$s, deployment: %1$s.yaml}\n".formatted(name));
    }
    Files.writeString(dir.resolve("cohorts.yaml"), list);
  }

  private static JavaApp app(int port) throws IOException {
    return stack.startApp(
        new JavaApp.Spec(
            "cohort",
            HOME.resolve("herb-replicator/target/app"),
            "io.cellmesh.herb.HerbReplicatorMain",
            List.of(
                "--cohorts",
                dir.resolve("cohorts.yaml").toString(),
                "--health-port",
                Integer.toString(port)),
            Map.of(),
            List.of("-Xmx256m", "-XX:TieredStopAtLevel=1")));
  }

  private static JsonNode health(int port, String instance) throws Exception {
    var at = URI.create("http://127.0.0.1:%d/health?instance=%s".formatted(port, instance));
    return new ObjectMapper().readTree(get(at));
  }

  private static long running(int port) throws Exception {
    return runs(port, "links");
  }

  private static long proving(int port) throws Exception {
    return runs(port, "proof");
  }

  /** How many of the links, or of the parts of the proof, of all instances run. */
  private static long runs(int port, String which) throws Exception {
    var all = get(URI.create("http://127.0.0.1:%d/health".formatted(port)));
    long runs = 0;
    for (var instance : new ObjectMapper().readTree(all).path("instances")) {
      for (var state : instance.path(which).findValues("state")) {
        runs += state.asText().equals("RUNNING") ? 1 : 0;
      }
    }
    return runs;
  }

  private static String get(URI at) throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(at).build(), BodyHandlers.ofString())
        .body();
  }

  private static ProducerRecord<byte[], byte[]> otherShards(String instance) throws Exception {
    var others = new Shards(1024, SHARDS.partitions());
    long id = 1;
    while (others.of(row(id)) == SHARDS.of(row(id))) {
      id++;
    }
    return log(instance, others, id);
  }

  private static UUID row(long id) {
    return UUID.fromString("00000000-0000-4000-8000-%012d".formatted(id));
  }

  private static ProducerRecord<byte[], byte[]> log(String instance, Shards shards, long id)
      throws Exception {
    var key = new CellKey(row(id), "BASE", id);
    int shard = shards.of(key.rowKey());
    var cell = new Cell(key, Body.ofJson("{\"n\":1}"), Optional.of(new Origin("dc2", id)));
    return new ProducerRecord<>(
        new Topics(instance).log(),
        shards.partitionOf(shard),
        Envelope.key(key),
        Envelope.write(new LogRecord(cell, shard, id, Instant.EPOCH)));
  }

  private static long arrived() {
    var partitions = new ArrayList<TopicPartition>();
    for (var name : names(INSTANCES)) {
      for (int p = 0; p < SHARDS.partitions(); p++) {
        partitions.add(new TopicPartition(new Topics(name).mesh(), p));
      }
    }
    try (var consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", stack.broker("dc1").bootstrap()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      return consumer.endOffsets(partitions).values().stream().mapToLong(Long::longValue).sum();
    }
  }

  private static String state(int port, String instance) throws Exception {
    return health(port, instance).at("/links/dc2/state").asText();
  }

  private static ConditionFactory patience() {
    return await().atMost(PATIENCE).pollInterval(Duration.ofMillis(500)).ignoreExceptions();
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
