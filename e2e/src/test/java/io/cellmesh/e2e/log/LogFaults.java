package io.cellmesh.e2e.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.devstack.ConnectWorker;
import io.cellmesh.devstack.MySqlServer;
import io.cellmesh.devstack.NetworkPath;
import io.cellmesh.e2e.faults.FaultStack;
import io.cellmesh.e2e.faults.Figures;
import io.cellmesh.e2e.faults.Report;
import io.cellmesh.e2e.faults.Run;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

/** Whatever dies while cells flow, the log goes on by itself, without a gap. */
final class LogFaults {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Duration SETTLED = Duration.ofSeconds(60);

  /** A log that is so far behind its masters, or less, streams. */
  private static final Duration CURRENT = Duration.ofMillis(500);

  private final FaultStack stack;
  private final LogFigures figures;
  private final LogMonitor monitor;

  LogFaults(FaultStack stack, LogFigures figures, LogMonitor monitor) {
    this.stack = stack;
    this.figures = figures;
    this.monitor = monitor;
  }

  /** The server that the source reads. */
  void servers() throws Exception {
    scenario(
        "log, mysqld killed and stopped",
        LogFigures.BACK_AFTER_SERVER,
        run -> {
          var minion = minion("c1");
          var back = new ArrayList<Duration>();
          for (int kill = 0; kill < figures.serverKills(); kill++) {
            awaitCurrent("c1");
            var lost = Instant.now();
            minion.kill();
            run.flow(Duration.ofMillis(500));
            minion.start();
            minion.awaitReady();
            back.add(awaitBack("c1", lost, System.nanoTime()));
            run.flow(Duration.ofMillis(500));
          }
          run.report("mysqld killed %d times, back after %s", back.size(), text(back));
          awaitCurrent("c1");
          var lost = Instant.now();
          minion.pause();
          run.flow(figures.serverStopped());
          minion.resume();
          var after = awaitBack("c1", lost, System.nanoTime());
          run.report(
              "mysqld stopped for %s, back after %s",
              Report.text(figures.serverStopped()), Report.text(after));
          back.add(after);
          return back;
        });
  }

  /** Connections that end while both ends live, and the broker. */
  void connections() throws Exception {
    try (var proxy = NetworkPath.to(minion("c1").port())) {
      var connector = source("c1");
      var shipped = stack.connect().config(connector);
      var proxied = new HashMap<>(shipped);
      proxied.computeIfPresent(
          "topology", (k, text) -> text.replace(":" + minion("c1").port(), ":" + proxy.port()));
      stack.connect().put(connector, proxied);
      try {
        scenario("log, connections lost", LogFigures.BACK_AFTER_SERVER, run -> lose(run, proxy));
      } finally {
        stack.connect().put(connector, shipped);
        stack.connect().awaitRunning(connector, PATIENCE);
      }
    }
  }

  private List<Duration> lose(Run run, NetworkPath proxy) {
    awaitCurrent("c1");
    var lost = Instant.now();
    proxy.reset();
    var reset = awaitBack("c1", lost, System.nanoTime());
    run.flow(Duration.ofSeconds(1));
    awaitCurrent("c2");
    lost = Instant.now();
    minion("c2")
        .execute(
            minion("c2")
                .query(
                    "SELECT CONCAT('KILL ', id) FROM information_schema.processlist WHERE command LIKE 'Binlog Dump%'"));
    var killed = awaitBack("c2", lost, System.nanoTime());
    run.report(
        "network reset, back after %s; connection killed by the server, back after %s",
        Report.text(reset), Report.text(killed));
    run.flow(Duration.ofSeconds(1));
    run.expectPause();
    lost = Instant.now();
    stack.broker().restart();
    var broker = awaitBack("c1", lost, System.nanoTime());
    run.report("broker restarted, back after %s", Report.text(broker));
    return List.of(reset, killed);
  }

  /** The worker that runs a source's task, again and again. */
  void workers() throws Exception {
    scenario(
        "log, worker killed " + figures.workerKills() + " times",
        LogFigures.BACK_AFTER_WORKER,
        run -> killWorkers(run, figures.workerKills()));
  }

  /** Turns exactly-once on, as the source's page says. */
  void turnExactlyOnceOn() {
    for (var cluster : List.of("c1", "c2")) {
      var connect = stack.connect();
      var config = new HashMap<>(connect.config(source(cluster)));
      config.put("producer.override.linger.ms", "100");
      connect.put(source(cluster), config);
    }
    reconfigure(Map.of("exactly.once.source.support", "enabled"));
  }

  /**
   * Starts the workers anew with other settings, as an operator is told to: one after another, so
   * that none asks a leader that is still starting.
   */
  void reconfigure(Map<String, String> settings) {
    stack.workers().forEach(ConnectWorker::stop);
    for (var worker : stack.workers()) {
      worker.reconfigure(settings);
      stack.bringBack(worker);
    }
    stack.heal();
  }

  /** The same with exactly-once on: to a reader of committed records nothing comes twice. */
  void exactlyOnce() throws Exception {
    monitor.catchUp(stack);
    var repeated = monitor.repeated();
    scenario(
        "log, exactly once, worker killed " + figures.exactlyOnceKills() + " times",
        LogFigures.BACK_AFTER_WORKER_ONCE,
        run -> killWorkers(run, figures.exactlyOnceKills()),
        () -> assertThat(monitor.repeated()).isEqualTo(repeated));
  }

  private List<Duration> killWorkers(Run run, int kills) {
    var random = new Random(Figures.seed());
    var back = new ArrayList<Duration>();
    for (int kill = 0; kill < kills; kill++) {
      long begun = System.nanoTime();
      awaitBalance();
      var balanced = since(begun);
      var cluster = random.nextBoolean() ? "c1" : "c2";
      var worker = stack.workerOf(source(cluster), 0);
      var lost = Instant.now();
      long killed = System.nanoTime();
      worker.kill();
      back.add(awaitBack(cluster, lost, killed));
      stack.bringBack(worker);
      run.report(
          "balanced after %s, %s killed, %s back after %s, the worker after %s",
          Report.text(balanced),
          worker,
          cluster,
          Report.text(back.get(kill)),
          Report.text(since(killed)));
      run.flow(Duration.ofMillis(random.nextInt(2_000)));
    }
    run.report("worker killed %d times, back after %s", back.size(), text(back));
    return back;
  }

  /** No worker has all tasks of the sink beside a source's: cells flow without any of them. */
  private void awaitBalance() {
    await("tasks on both workers")
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(
            () ->
                stack.clusters().stream()
                    .allMatch(
                        cluster -> {
                          var reading = stack.workerOf(source(cluster.name()), 0);
                          return stack.workerOf(FaultStack.SINK, 0) != reading
                              || stack.workerOf(FaultStack.SINK, 1) != reading;
                        }));
  }

  private void scenario(String name, Duration bound, Scenario scenario) throws Exception {
    scenario(name, bound, scenario, () -> {});
  }

  /**
   * @param bound of the times that the scenario returns; looked at last, since a machine that is
   *     slow is no reason not to look at the log
   * @param log what else must hold of it
   */
  private void scenario(String name, Duration bound, Scenario scenario, Runnable log)
      throws Exception {
    monitor.catchUp(stack);
    var repeated = monitor.repeated();
    try (var run = Run.begin(stack, name)) {
      var times = scenario.play(run);
      run.settle(SETTLED);
      monitor.catchUp(stack);
      assertThat(monitor.first().inversion()).isEmpty();
      assertThat(monitor.first().difference(EntityRows.of(stack))).isEmpty();
      run.report(
          "the log by first occurrence is the entities: %d cells; records that came again: %s, before %s",
          monitor.first().size(), monitor.repeated(), repeated);
      log.run();
      assertThat(times).allMatch(time -> time.compareTo(bound) <= 0);
    }
  }

  /**
   * To be streaming again, the log must have been streaming: one that still catches up with an
   * earlier fault shows a cell late whatever the next one is.
   */
  private void awaitCurrent(String cluster) {
    await("the log current with " + cluster)
        .atMost(PATIENCE)
        .until(
            () -> {
              long now = System.nanoTime();
              return awaitBack(cluster, Instant.now(), now).compareTo(CURRENT) <= 0;
            });
  }

  /** How long after a moment the first cell came that was stored after the loss. */
  private Duration awaitBack(String cluster, Instant lost, long since) {
    long came = monitor.firstStoredAfter(cluster, lost, PATIENCE);
    return Duration.ofNanos(Math.max(0, came - since));
  }

  private static Duration since(long nanos) {
    return Duration.ofNanos(System.nanoTime() - nanos);
  }

  private MySqlServer minion(String cluster) {
    return stack.cluster(cluster).minions().get(0);
  }

  static String source(String cluster) {
    return "trips-source-" + cluster;
  }

  private static String text(List<Duration> times) {
    return times.stream().sorted().map(Report::text).collect(Collectors.joining(", "));
  }

  @FunctionalInterface
  private interface Scenario {
    List<Duration> play(Run run) throws Exception;
  }
}
