package io.cellmesh.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.Credentials;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.e2e.faults.Poison.Fate.Rejected;
import io.cellmesh.e2e.faults.Poison.Fate.Stored;
import io.cellmesh.storage.CellReader;
import io.cellmesh.storage.Pools;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.PartitionReader;
import io.cellmesh.topics.TopicOffsets;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** One record in a hundred is poison. It is rejected or stored as it is, and delays no other. */
final class PoisonFaults {
  private static final Duration LONGEST_DELAY = Duration.ofSeconds(5);

  private static final Duration SETTLED = Duration.ofSeconds(60);

  /** Less than one of the largest poisons in each further round, if they were kept. */
  private static final long MOST_GROWTH_MIB = 16;

  private final FaultStack stack;
  private final Figures figures;

  PoisonFaults(FaultStack stack, Figures figures) {
    this.stack = stack;
    this.figures = figures;
  }

  void oneInAHundred() throws Exception {
    var rounds = rounds(figures.poisons());
    var poisons = rounds.stream().flatMap(List::stream).toList();
    try (var first = WorkerMemory.watch(stack.workers().get(0));
        var second = WorkerMemory.watch(stack.workers().get(1));
        var run = Run.begin(stack, poisons.size() + " poisoned records", figures.poisonedRate())) {
      long begun = System.nanoTime();
      run.flow(Duration.ofSeconds(5));
      long from = System.nanoTime();
      var places = new ArrayList<>(produce(rounds.get(0), run));
      var before = live(first, second);
      places.addAll(produce(poisons.subList(places.size(), poisons.size()), run));
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
      var after = live(first, second);
      run.report("%s; %s", first.text(), second.text());
      run.report(
          "MiB live after the first of %d rounds %s, in the end %s", rounds.size(), before, after);
      for (int worker = 0; worker < after.size(); worker++) {
        assertThat(after.get(worker) - before.get(worker))
            .as("MiB that a worker keeps of %d rounds of poison", rounds.size() - 1)
            .isLessThan(MOST_GROWTH_MIB);
      }
      // A conflict is told a moment after its cell is decided.
      await()
          .atMost(Duration.ofSeconds(30))
          .pollInterval(Duration.ofSeconds(1))
          .untilAsserted(() -> check(poisons, places));
      assertThat(List.of(first.pid(), second.pid()))
          .as("processes of the workers, none of which has died")
          .isEqualTo(stack.workers().stream().map(worker -> worker.pid()).toList());
    }
  }

  private static List<List<Poison>> rounds(int poisons) {
    var random = new Random(Figures.seed());
    var rounds = new ArrayList<List<Poison>>();
    for (int made = 0; made < poisons; made += rounds.get(rounds.size() - 1).size()) {
      rounds.add(Poisons.round(random));
    }
    return rounds;
  }

  /** What is alive in the heap of each worker, in MiB. */
  private static List<Long> live(WorkerMemory... workers) {
    return Arrays.stream(workers).map(WorkerMemory::liveMiB).toList();
  }

  /** Mixes them into the cells that flow, evenly; says where each of them stands. */
  private List<RecordMetadata> produce(List<Poison> poisons, Run run) throws Exception {
    var config =
        Map.<String, Object>of(
            "bootstrap.servers", stack.bootstrap(), "acks", "all", "max.request.size", 4 << 20);
    var places = new ArrayList<RecordMetadata>();
    try (var producer =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      long begun = run.load().acknowledged();
      for (var poison : poisons) {
        var record = new ProducerRecord<>("trips.cells", poison.key(), poison.value());
        places.add(producer.send(record).get());
        run.awaitLoad(begun + 100L * places.size());
      }
    }
    return places;
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
    try (var client = Consumers.open(KafkaAccess.plain(stack.bootstrap()))) {
      var rejected = TopicOffsets.of(client, "trips.rejected");
      for (int p = 0; p < rejected.partitions(); p++) {
        new PartitionReader(client)
            .read(
                rejected.partition(p),
                rejected.begin(p),
                rejected.end(p),
                record ->
                    reasons.put(
                        header(record.headers(), "topic")
                            + "-"
                            + header(record.headers(), "partition")
                            + "@"
                            + header(record.headers(), "offset"),
                        header(record.headers(), "exception.message")));
      }
    }
    return reasons;
  }

  private static String header(Headers headers, String name) {
    return new String(
        headers.lastHeader("__connect.errors." + name).value(), StandardCharsets.UTF_8);
  }
}
