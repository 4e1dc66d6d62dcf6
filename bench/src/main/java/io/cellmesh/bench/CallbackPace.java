package io.cellmesh.bench;

import io.cellmesh.connect.client.Waiting;
import io.cellmesh.devstack.DevStackException;
import io.cellmesh.triggers.Trigger;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/** How many callbacks that wait for something are made a second. */
final class CallbackPace {
  /** What a callback waits. */
  static final Duration CALLBACK = Duration.ofMillis(5);

  private static final Duration STALL = Duration.ofSeconds(60);
  private static final Duration LOOK = Duration.ofMillis(10);

  private final CallbackServers servers;
  private final CallbackPlan plan;

  CallbackPace(CallbackServers servers, CallbackPlan plan) {
    this.servers = servers;
    this.plan = plan;
  }

  /** From when each thread may have had a cell, until the log is read or the time is over. */
  @SuppressWarnings("try") // Only started and closed.
  PaceFigures measure(int threads) throws Exception {
    var called = new LongAdder();
    var trigger =
        Trigger.named("pace-" + threads)
            .on("BASE")
            .of(CallbackServers.datacenter(servers.broker().bootstrap()))
            .threads(threads)
            .call(
                cell -> {
                  Thread.sleep(CALLBACK.toMillis());
                  called.increment();
                });
    try (var running = trigger.start()) {
      long first =
          new CountWait(STALL, true, LOOK)
              .until(
                  threads,
                  called::sum,
                  now -> new DevStackException("%,d callbacks and no more".formatted(now)));
      long begin = System.nanoTime();
      long last =
          Waiting.<Long, InterruptedException>last(
              Duration.ofSeconds(plan.seconds()), LOOK, called::sum, now -> now >= plan.cells());
      return new PaceFigures(threads, (last - first) / ((System.nanoTime() - begin) / 1e9));
    }
  }
}
