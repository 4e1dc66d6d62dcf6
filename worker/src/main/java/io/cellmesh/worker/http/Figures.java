package io.cellmesh.worker.http;

import io.cellmesh.health.Latencies;
import io.cellmesh.health.MetricPage;
import io.cellmesh.worker.position.Outcome;
import io.cellmesh.worker.site.Instance;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Counts what a worker did. Thread-safe. */
final class Figures {
  private final Map<String, LongAdder> requests = new ConcurrentSkipListMap<>();
  private final Map<String, Latencies> seconds = new ConcurrentSkipListMap<>();
  private final Map<String, LongAdder> waits = new ConcurrentSkipListMap<>();
  private final AtomicInteger inFlight = new AtomicInteger();

  void begun() {
    inFlight.incrementAndGet();
  }

  /**
   * A call was answered.
   *
   * @param route as the contract names it
   */
  void answered(String route, int status, double took) {
    inFlight.decrementAndGet();
    requests.computeIfAbsent(route + " " + status, key -> new LongAdder()).increment();
    seconds.computeIfAbsent(route, key -> new Latencies()).took(took);
  }

  void waited(Outcome outcome) {
    var name = outcome.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    waits.computeIfAbsent(name, key -> new LongAdder()).increment();
  }

  int inFlight() {
    return inFlight.get();
  }

  String page(Instances instances) {
    var page = new MetricPage().add(WorkerMetric.IN_FLIGHT, inFlight.get());
    requests.forEach(
        (key, count) -> {
          int space = key.lastIndexOf(' ');
          page.add(
              WorkerMetric.REQUESTS,
              count.sum(),
              key.substring(0, space),
              key.substring(space + 1));
        });
    seconds.forEach((route, took) -> page.add(WorkerMetric.SECONDS, took, route));
    waits.forEach((outcome, count) -> page.add(WorkerMetric.WAITS, count.sum(), outcome));
    instances.byName().forEach((name, instance) -> add(page, name, instance));
    return page.text();
  }

  private static void add(MetricPage page, String name, Instance instance) {
    page.add(WorkerMetric.READY, instance.trouble().isEmpty() ? 1 : 0, name);
    instance
        .gates()
        .forEach(
            (queue, gate) -> {
              page.add(WorkerMetric.QUEUED, gate.inside(), name, queue);
              page.add(WorkerMetric.TURNED_AWAY, gate.turnedAway(), name, queue);
            });
    instance.hedges().forEach((outcome, n) -> page.add(WorkerMetric.HEDGES, n, name, outcome));
    instance.looks().forEach((cluster, n) -> page.add(WorkerMetric.LOOKS, n, name, cluster));
    instance
        .healthy()
        .forEach(
            (server, well) -> page.add(WorkerMetric.SERVER_HEALTHY, well ? 1 : 0, name, server));
  }
}
