package io.cellmesh.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.Credentials;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.e2e.Rejections;
import io.cellmesh.e2e.faults.Poison.Fate.Rejected;
import io.cellmesh.e2e.faults.Poison.Fate.Stored;
import io.cellmesh.storage.CellReader;
import io.cellmesh.storage.Pools;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** One record in a hundred is poison. It is rejected or stored as it is, and delays no other. */
final class PoisonFaults {
  private static final Duration LONGEST_DELAY = Duration.ofSeconds(5);

  private static final Duration SETTLED = Duration.ofSeconds(60);

  private static final Duration TOLD = Duration.ofSeconds(30);

  /** So many that, if they were kept, a heap would grow by far more than it varies when at rest. */
  private static final int LARGE_RECORDS = 32;

  private static final int LARGE_MIB = 3;

  private final FaultStack stack;
  private final Figures figures;

  PoisonFaults(FaultStack stack, Figures figures) {
    this.stack = stack;
    this.figures = figures;
  }

  void oneInAHundred() throws Exception {
    var poisons = poisons(figures.poisons());
    try (var first = WorkerMemory.watch(stack.workers().get(0));
        var second = WorkerMemory.watch(stack.workers().get(1));
        var run = Run.begin(stack, poisons.size() + " poisoned records", figures.poisonedRate())) {
      long begun = System.nanoTime();
      run.flow(Duration.ofSeconds(5));
      long from = System.nanoTime();
      var places = produce(poisons, run);
      run.flow(Duration.ofSeconds(5));
      long to = System.nanoTime();
      for (var cluster : stack.topology().clusters()) {
        var clean = run.visibility().between(cluster.name(), begun, from);
        var poisoned = run.visibility().between(cluster.name(), from, to);
        run.report("%s: without poison %s; with it %s", cluster.name(), clean, poisoned);
        assertThat(poisoned.worst())
            .as("the longest delay in %s", cluster.name())
            .isLessThan(LONGEST_DELAY);
      }
      run.settle(SETTLED);
      run.report("%s; %s", first.text(), second.text());
      // A conflict is told a moment after its cell is decided.
      await()
          .atMost(TOLD)
          .pollInterval(Duration.ofSeconds(1))
          .untilAsserted(() -> check(poisons, places));
      rejectWithoutKeeping(run, first, second);
      assertThat(List.of(first.pid(), second.pid()))
          .as("processes of the workers, none of which has died")
          .isEqualTo(stack.workers().stream().map(worker -> worker.pid()).toList());
    }
  }

  /**
   * What a worker has rejected and Kafka has acknowledged is garbage. All is at rest before and
   * after, so that nothing else makes the heaps grow.
   */
  private void rejectWithoutKeeping(Run run, WorkerMemory... workers) throws Exception {
    int rejected = LARGE_RECORDS * LARGE_MIB;
    long before = live(workers);
    var places = produceLarge();
    await()
        .atMost(SETTLED)
        .pollInterval(Duration.ofSeconds(1))
        .until(() -> reasons().keySet().containsAll(places));
    // The sink lets go of them when it commits the next time.
    await()
        .atMost(TOLD)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofSeconds(2))
        .untilAsserted(
            () ->
                assertThat(live(workers) - before)
                    .as("MiB that the workers keep of %d MiB that they rejected", rejected)
                    .isLessThan(rejected / 4));
    run.report(
        "MiB live before %d MiB were rejected %d, after %d", rejected, before, live(workers));
  }

  /** Values that are too long for a body; says where each of them stands. */
  private List<String> produceLarge() throws Exception {
    var random = new Random(Figures.seed() + 1);
    var places = new ArrayList<String>();
    try (var producer = producer("zstd")) {
      for (int i = 0; i < LARGE_RECORDS; i++) {
        var row = new UUID(random.nextLong(), random.nextLong());
        var body = Poison.quoted("a".repeat(LARGE_MIB << 20));
        var poison = Poison.rejected("large", row, "BASE", 1, body, "limit");
        places.add(producer.send(recordOf(poison)).get().toString());
      }
    }
    return places;
  }

  /** Whole rounds of them. */
  private static List<Poison> poisons(int least) {
    var random = new Random(Figures.seed());
    var poisons = new ArrayList<Poison>();
    while (poisons.size() < least) {
      poisons.addAll(Poisons.round(random));
    }
    return poisons;
  }

  /** What is alive in the heaps of workers together, in MiB. */
  private static long live(WorkerMemory... workers) {
    return Arrays.stream(workers).mapToLong(WorkerMemory::liveMiB).sum();
  }

  /** Mixes them into the cells that flow, evenly; says where each of them stands. */
  private List<RecordMetadata> produce(List<Poison> poisons, Run run) throws Exception {
    var places = new ArrayList<RecordMetadata>();
    try (var producer = producer("none")) {
      long begun = run.load().acknowledged();
      for (var poison : poisons) {
        places.add(producer.send(recordOf(poison)).get());
        run.awaitLoad(begun + 100L * places.size());
      }
    }
    return places;
  }

  private KafkaProducer<byte[], byte[]> producer(String compression) {
    return new KafkaProducer<>(
        Map.<String, Object>of(
            "bootstrap.servers",
            stack.bootstrap(),
            "acks",
            "all",
            "max.request.size",
            4 << 20,
            "compression.type",
            compression),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  private static ProducerRecord<byte[], byte[]> recordOf(Poison poison) {
    return new ProducerRecord<>("trips.cells", poison.key(), poison.value());
  }

  private void check(List<Poison> poisons, List<RecordMetadata> places) throws Exception {
    var reasons = reasons();
    var wrong = new ArrayList<String>();
    try (var pools = new Pools(new Credentials("root", ""))) {
      var reader = new CellReader(stack.topology(), pools, false);
      for (int i = 0; i < poisons.size(); i++) {
        var poison = poisons.get(i);
        var reason = reasons.get(places.get(i).toString());
        if (poison.fate() instanceof Rejected rejected) {
          if (reason == null || reason.isBlank() || !reason.contains(rejected.reason())) {
            wrong.add(
                poison.kind() + " should be rejected for " + rejected.reason() + ": " + reason);
          }
        } else if (poison.fate() instanceof Stored stored) {
          var found = reader.get(stored.key());
          if (reason != null) {
            wrong.add(poison.kind() + " is rejected: " + reason);
          } else if (found.isEmpty() || !found.get().cell().key().equals(stored.key())) {
            wrong.add(poison.kind() + " is not there");
          } else if (!ExactJson.same(stored.body(), found.get().cell().body().toJson())) {
            wrong.add(poison.kind() + " has changed");
          }
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  /** Why records were rejected, by their place. */
  private Map<String, String> reasons() {
    var reasons = new HashMap<String, String>();
    Rejections.read(KafkaAccess.plain(stack.bootstrap()))
        .forEach((place, told) -> reasons.put(place, told.get(told.size() - 1)));
    return reasons;
  }
}
