package io.cellmesh.worker.http;

import io.cellmesh.health.Latencies;
import io.cellmesh.health.MetricPage;
import io.cellmesh.operations.mesh.scrub.ScrubFigures;
import io.cellmesh.worker.position.Outcome;
import io.cellmesh.worker.position.WaitFor;
import io.cellmesh.worker.site.Instance;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Counts what a worker did. Thread-safe. */
final class Figures {
  private final Map<String, LongAdder> requests = new ConcurrentSkipListMap<>();
  private final Map<String, Latencies> seconds = new ConcurrentSkipListMap<>();
  private final Map<String, LongAdder> waits = new ConcurrentSkipListMap<>();
  private final Map<String, LongAdder> refusals = new ConcurrentSkipListMap<>();
  private final AtomicInteger inFlight = new AtomicInteger();

  /** Counts a call as under way, until what this gives is run for the first time. */
  Runnable begun() {
    inFlight.incrementAndGet();
    var ended = new AtomicBoolean();
    return () -> {
      if (!ended.getAndSet(true)) {
        inFlight.decrementAndGet();
      }
    };
  }

  /**
   * A call was answered.
   *
   * @param route as the contract names it
   */
  void answered(String route, int status, double took) {
    requests.computeIfAbsent(route + " " + status, key -> new LongAdder()).increment();
    seconds.computeIfAbsent(route, key -> new Latencies()).took(took);
  }

  /** A write was answered; whoever asks for no more than accepted has not waited in vain. */
  void waited(WaitFor asked, Outcome outcome) {
    var name =
        asked == WaitFor.ACCEPTED
            ? "accepted"
            : outcome.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    waits.computeIfAbsent(name, key -> new LongAdder()).increment();
  }

  /** A caller was unknown, or lacked a right. */
  void refused(String why) {
    refusals.computeIfAbsent(why, key -> new LongAdder()).increment();
  }

  int inFlight() {
    return inFlight.get();
  }

  /**
   * @param fresh what is read from files, and whether what stands there is in force
   */
  String page(Instances instances, Map<String, Boolean> fresh) {
    var page = new MetricPage().add(WorkerMetric.IN_FLIGHT, inFlight.get());
    fresh.forEach((what, is) -> page.add(WorkerMetric.FILE_IN_FORCE, is ? 1 : 0, what));
    refusals.forEach((why, count) -> page.add(WorkerMetric.REFUSED, count.sum(), why));
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
    instance.scrub().ifPresent(scrub -> add(page, name, scrub));
    instance
        .healthy()
        .forEach(
            (server, well) -> page.add(WorkerMetric.SERVER_HEALTHY, well ? 1 : 0, name, server));
  }

  private static void add(MetricPage page, String name, ScrubFigures scrub) {
    page.add(WorkerMetric.SCRUB_UP, scrub.isRunning() ? 1 : 0, name)
        .add(WorkerMetric.SCRUB_ROWS, scrub.rows(), name)
        .add(WorkerMetric.SCRUB_DIFFERENCES, scrub.differences(), name);
    scrub
        .oldest()
        .ifPresent(
            at ->
                page.add(
                    WorkerMetric.SCRUB_AGE,
                    Math.max(0, System.currentTimeMillis() - at) / 1e3,
                    name));
  }
}
