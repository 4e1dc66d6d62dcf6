package io.cellmesh.herb;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All links of the process: those of several instances, each link on its own. Instances join,
 * change and leave while the others run on.
 */
final class Cohort implements AutoCloseable {
  /** As long as links take at most, all at the same time, after a change that was under way. */
  private static final Duration CLOSE_TIMEOUT = Transport.CLOSE_TIMEOUT.plusSeconds(5);

  private static final Logger LOG = LoggerFactory.getLogger(Cohort.class);

  private final Function<Ends, InstanceParts> made;
  private final ExecutorService changes =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          1,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          work -> {
            var thread = new Thread(work, "cohort-change");
            thread.setDaemon(true);
            return thread;
          });
  private final OriginServers servers = new OriginServers(changes);
  private final Map<String, InstanceLinks> instances = new TreeMap<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private String fault = "nothing was read yet";

  /**
   * @param made makes what an instance has, which has not started
   */
  Cohort(Function<Ends, InstanceParts> made) {
    this.made = made;
  }

  /**
   * Carries out a plan: an instance's links begin, are replaced or end, and those go on that are as
   * they were. Where a plan can't be used, what runs goes on. Waits for nobody.
   */
  synchronized void become(CohortPlan plan) {
    if (closed.getCount() == 0) {
      return;
    }
    if (!plan.fault().isEmpty()) {
      keep(plan.fault());
      return;
    }
    fault = "";
    instances.forEach(
        (name, links) -> {
          if (!plan.ends().containsKey(name) && !plan.faults().containsKey(name)) {
            links.leave();
          }
        });
    instances.values().removeIf(links -> !links.isThere() && links.isSettled());
    plan.faults().forEach((name, why) -> links(name).keep(why));
    plan.ends().forEach((name, ends) -> links(name).become(ends));
  }

  synchronized CohortHealth health() {
    var reports = new TreeMap<String, HealthReport>();
    instances.forEach(
        (name, links) -> {
          if (links.isThere()) {
            reports.put(name, links.health());
          }
        });
    return new CohortHealth(fault, reports);
  }

  /**
   * Waits for {@link #close}.
   *
   * @return whether it was closed meanwhile
   */
  boolean awaitClose(Duration atMost) throws InterruptedException {
    return closed.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Has all links commit and leave their groups at the same time, within 25 s altogether. */
  @Override
  public void close() {
    var ending = endAll();
    long deadline = System.nanoTime() + CLOSE_TIMEOUT.toNanos();
    servers.close();
    try {
      for (var links : ending.entrySet()) {
        long left = Math.max(0, deadline - System.nanoTime());
        if (!links.getValue().awaitEnd(Duration.ofNanos(left))) {
          LOG.warn(
              "Links of {} did not end within {} s", links.getKey(), CLOSE_TIMEOUT.toSeconds());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    changes.shutdown();
  }

  /** Whoever asks how it is must not wait for links that end. */
  private synchronized Map<String, InstanceLinks> endAll() {
    closed.countDown();
    instances.values().forEach(InstanceLinks::end);
    return Map.copyOf(instances);
  }

  private InstanceLinks links(String instance) {
    return instances.computeIfAbsent(
        instance, name -> new InstanceLinks(name, made, servers, changes));
  }

  private void keep(String why) {
    if (!why.equals(fault)) {
      LOG.error("The list of the instances can't be used, and what runs goes on: {}", why);
    }
    fault = why;
  }
}
