package io.cellmesh.bench;

import io.cellmesh.devstack.DevStackException;
import io.cellmesh.topics.trigger.Start;
import io.cellmesh.triggers.Trigger;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;

/**
 * The time from handing a cell to the producer until a callback has it, at a steady rate: of a
 * trigger and of a plain consumer, which read the same records at the same time in this process, so
 * that one clock times all.
 */
final class CallbackLatency {
  static final int RATE = 1_000;

  private static final Duration WARM_UP = Duration.ofSeconds(15);
  private static final Duration TAIL = Duration.ofSeconds(30);

  private final CallbackServers servers;
  private final LogCells cells;
  private final CallbackPlan plan;
  private final Map<Place, Long> sent = new ConcurrentHashMap<>();
  private final Map<Place, Long> called = new ConcurrentHashMap<>();
  private final Map<Place, Long> polled = new ConcurrentHashMap<>();

  CallbackLatency(CallbackServers servers, LogCells cells, CallbackPlan plan) {
    this.servers = servers;
    this.cells = cells;
    this.plan = plan;
  }

  private record Place(int partition, long offset) {}

  /** Ours first, then the plain consumer. */
  @SuppressWarnings("try") // Only started and closed.
  List<CallbackLatencyFigures> measure() throws Exception {
    var bootstrap = servers.broker().bootstrap();
    var trigger =
        Trigger.named("latency")
            .on("BASE")
            .of(CallbackServers.datacenter(bootstrap))
            .startingAt(new Start.Now())
            .threads(CallbackContestant.THREADS)
            .call(cell -> note(called, cell.partition(), cell.offset()));
    try (var ours = trigger.start();
        var plain =
            PlainConsumer.start(
                bootstrap,
                "latency-plain",
                "latest",
                record ->
                    note(
                        polled,
                        new TopicPartition(record.topic(), record.partition()),
                        record.offset()))) {
      produce(Math.min(WARM_UP.toSeconds(), plan.seconds()), new HashMap<>());
      produce(plan.seconds(), sent);
      await(called, "the trigger");
      await(polled, "the plain consumer");
    }
    return List.of(
        figures(CallbackContestant.OURS, called), figures(CallbackContestant.PLAIN, polled));
  }

  private static void note(Map<Place, Long> arrived, TopicPartition at, long offset) {
    arrived.putIfAbsent(new Place(at.partition(), offset), System.nanoTime());
  }

  /** Every cell has to be taken by the broker; the producer does not linger. */
  private void produce(long seconds, Map<Place, Long> stamps) throws InterruptedException {
    try (var producer = servers.producer(Map.of("linger.ms", 0))) {
      long start = System.nanoTime();
      for (long i = 0; i < RATE * seconds; i++) {
        Pause.until(start + i * 1_000_000_000L / RATE);
        var record = cells.next();
        long at = System.nanoTime();
        producer.send(
            record,
            (place, failure) -> {
              if (failure == null) {
                stamps.put(new Place(place.partition(), place.offset()), at);
              }
            });
      }
    }
  }

  private void await(Map<Place, Long> arrived, String who) throws Exception {
    CountWait.atMost(TAIL, Duration.ofMillis(10))
        .until(
            sent.size(),
            () -> sent.keySet().stream().filter(arrived::containsKey).count(),
            seen ->
                new DevStackException(
                    "%s had %,d of %,d cells after %d s"
                        .formatted(who, seen, sent.size(), TAIL.toSeconds())));
  }

  private CallbackLatencyFigures figures(CallbackContestant who, Map<Place, Long> arrived) {
    var nanos =
        sent.entrySet().stream().mapToLong(e -> arrived.get(e.getKey()) - e.getValue()).toArray();
    return new CallbackLatencyFigures(
        who.text(),
        nanos.length,
        Statistics.percentile(nanos, 50) / 1e6,
        Statistics.percentile(nanos, 99) / 1e6,
        Statistics.percentile(nanos, 100) / 1e6);
  }
}
