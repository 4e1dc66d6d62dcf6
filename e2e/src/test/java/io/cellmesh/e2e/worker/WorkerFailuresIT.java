package io.cellmesh.e2e.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.CellKey;
import io.cellmesh.client.CellmeshException;
import io.cellmesh.client.NewCell;
import io.cellmesh.client.Reached;
import io.cellmesh.e2e.faults.FaultStack;
import io.cellmesh.e2e.faults.Figures;
import io.cellmesh.e2e.faults.Report;
import io.cellmesh.e2e.faults.StackScenarios;
import io.cellmesh.e2e.worker.Ledger.Entry;
import io.cellmesh.e2e.worker.Ledger.Kind;
import io.cellmesh.stack.StackOptions;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The failure table of the case study, line by line, under a load of writes and reads through the
 * client. Whatever fails, what callers are told is true (invariant 13), and what was told accepted
 * becomes visible.
 */
@Tag("full")
class WorkerFailuresIT extends StackScenarios {
  private static final Duration DEADLINE = Duration.ofSeconds(5);
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final Duration PEACE = Figures.isFull() ? seconds(20) : seconds(2);
  private static final Duration OUTAGE = Figures.isFull() ? seconds(30) : seconds(3);

  /** All that is new is slow. */
  private static final Duration WARM_UP = seconds(5);

  /** Calls a second, of each kind and for each cluster. */
  private static final int RATE = Figures.isFull() ? 50 : 20;

  /** From a fault until breakers are open. */
  private static final Duration NOTICED = Duration.ofMillis(1_500);

  private Workers workers;
  private List<String> inThisJvm;
  private WorkerProcess third;

  @Override
  protected FaultStack start() throws Exception {
    var started = FaultStack.start(StackOptions.of(1, List.of()).withClusters(3), state);
    workers = new Workers(started);
    inThisJvm = List.of(workers.start(), workers.start());
    third = WorkerProcess.start(started.directory());
    try (var flow = Flow.begin(started, Workers.client(List.of(third.url()), DEADLINE), RATE)) {
      flow.flow(WARM_UP);
    }
    return started;
  }

  @Override
  protected boolean isVerified() {
    return false;
  }

  @AfterAll
  void stopWorkers() {
    if (workers != null) {
      workers.close();
    }
    if (third != null) {
      third.close();
    }
  }

  @Test
  @Order(1)
  void a_worker_that_is_killed_is_an_error_to_nobody() throws Exception {
    var urls = List.of(third.url(), inThisJvm.get(0), inThisJvm.get(1));
    try (var flow = Flow.begin(stack, Workers.client(urls, DEADLINE), RATE)) {
      flow.flow(PEACE);
      third.kill();
      long killed = flow.flow(OUTAGE);
      flow.end();
      report("worker killed", flow, killed);
      assertThat(failures(flow, entry -> true)).isEmpty();
      settle(flow);
    }
  }

  @Test
  @Order(2)
  void while_a_minion_is_down_its_master_answers_and_writes_go_on() throws Exception {
    var minion = stack.cluster("c1").minions().get(0);
    try (var flow = flow()) {
      flow.flow(PEACE);
      minion.kill();
      long killed = flow.flow(OUTAGE);
      flow.end();
      report("minion down", flow, killed);
      assertThat(failures(flow, entry -> true)).isEmpty();
      assertThat(flow.ledger().since(killed))
          .filteredOn(entry -> entry.kind() == Kind.PUT)
          .allMatch(entry -> entry.told().equals("Visible"));
      assertThat(reads(flow, killed + NOTICED.toNanos(), "c1"))
          .isNotEmpty()
          .allMatch(entry -> entry.by().startsWith("c1/master/"));
      minion.start();
      minion.awaitReady();
      settle(flow);
    }
  }

  @Test
  @Order(3)
  void while_a_master_is_down_a_minion_answers_and_writes_are_told_buffered_and_come()
      throws Exception {
    var master = stack.master("c1");
    try (var flow = flow()) {
      flow.flow(PEACE);
      master.kill();
      long killed = flow.flow(OUTAGE);
      var stale =
          Workers.client(inThisJvm, DEADLINE)
              .session()
              .get(new CellKey(Rows.of(stack.topology(), "c1"), "BASE", 1));
      assertThat(stale.source().server()).startsWith("c1/minion/");
      assertThat(stale.source().staleUpTo()).isNotEqualTo(Optional.of(Duration.ZERO));
      flow.end();
      report("master down", flow, killed);
      assertThat(failures(flow, entry -> true)).isEmpty();
      assertThat(reads(flow, killed + NOTICED.toNanos(), "c1"))
          .isNotEmpty()
          .allMatch(entry -> entry.by().startsWith("c1/minion/"));
      assertThat(puts(flow, killed, "c1")).anyMatch(entry -> entry.told().equals("Buffered"));
      assertThat(puts(flow, killed + NOTICED.toNanos(), "c1"))
          .allMatch(entry -> entry.told().equals("Buffered"));
      stack.bringBack(master);
      settle(flow);
    }
  }

  @Test
  @Order(4)
  void a_cluster_that_hangs_whole_slows_nobody_elses_calls_down() throws Exception {
    var hung = stack.cluster("c1").servers();
    try (var flow = flow()) {
      flow.flow(PEACE);
      long stopped = System.nanoTime();
      hung.forEach(server -> server.pause());
      flow.flow(OUTAGE);
      hung.forEach(server -> server.resume());
      flow.end();
      report("cluster hung", flow, stopped);
      assertThat(failures(flow, entry -> !entry.cluster().equals("c1"))).isEmpty();
      for (var kind : Kind.values()) {
        var before = others(flow, kind, entry -> entry.ended() - stopped < 0);
        var during = others(flow, kind, entry -> entry.begun() - stopped >= 0);
        Report.line(
            "cluster hung: %s of the others, before %s, while it hung %s; by second, %s",
            kind, Ledger.times(before), Ledger.times(during), bySecond(during, stopped));
        assertThat(slow(during, kind, stopped))
            .as("%s of the others", kind)
            .isLessThan(twice(Ledger.percentile(99, before)));
      }
      settle(flow);
    }
  }

  @Test
  @Order(5)
  void while_a_secondary_is_down_the_others_cells_are_copied_elsewhere() throws Exception {
    try (var flow = flow()) {
      flow.flow(PEACE);
      stack.cluster("c3").servers().forEach(server -> server.kill());
      long killed = flow.flow(OUTAGE);
      flow.end();
      report("secondary down", flow, killed);
      assertThat(failures(flow, entry -> !entry.cluster().equals("c3"))).isEmpty();
      assertThat(flow.ledger().since(killed))
          .filteredOn(entry -> entry.kind() == Kind.PUT && !entry.cluster().equals("c3"))
          .allMatch(entry -> entry.told().equals("Visible"));
      stack.heal();
      settle(flow);
    }
  }

  @Test
  @Order(6)
  void while_kafka_is_down_writes_are_told_so_in_time_and_no_thread_is_lost() throws Exception {
    try (var flow = flow()) {
      flow.flow(PEACE);
      int before = WorkerThreads.most(seconds(1));
      stack.broker().kill();
      long killed = flow.flow(OUTAGE);
      // Again where this machine is so busy that it answers late by itself.
      await().atMost(SOON).untilAsserted(() -> refusedInTime(Duration.ofMillis(1_500)));
      int during = WorkerThreads.most(seconds(1));
      stack.broker().start();
      stack.broker().awaitReady();
      await("writes").atMost(SOON).until(this::isWritable);
      flow.flow(PEACE);
      int after = WorkerThreads.most(seconds(1));
      flow.end();
      report("Kafka down", flow, killed);
      Report.line("Kafka down: threads %d before, %d during, %d after", before, during, after);
      assertThat(failures(flow, entry -> entry.kind() == Kind.GET)).isEmpty();
      assertThat(failures(flow, entry -> entry.kind() == Kind.PUT)).isNotEmpty();
      assertThat(during).isLessThanOrEqualTo(before + WorkerThreads.SLACK);
      assertThat(after).isLessThanOrEqualTo(before + WorkerThreads.SLACK);
      settle(flow);
    }
  }

  private Flow flow() {
    return Flow.begin(stack, Workers.client(inThisJvm, DEADLINE), RATE);
  }

  /** As HTTP has it, since the client repeats what is answered with 503. */
  private void refusedInTime(Duration deadline) throws Exception {
    long begun = System.nanoTime();
    var answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(
                        URI.create(
                            "%s/v1/trips/cells/%s/BASE/1?deadline=%d"
                                .formatted(
                                    inThisJvm.get(0),
                                    Rows.of(stack.topology(), "c2"),
                                    deadline.toMillis())))
                    .PUT(BodyPublishers.ofString("1"))
                    .build(),
                BodyHandlers.ofString());
    var took = Duration.ofNanos(System.nanoTime() - begun);
    Report.line("Kafka down: 503 after %d ms of %d", took.toMillis(), deadline.toMillis());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
    assertThat(answer.headers().firstValue("Retry-After")).isPresent();
    assertThat(took).isLessThan(deadline.plusMillis(500));
  }

  private boolean isWritable() throws Exception {
    var client = Workers.client(inThisJvm, DEADLINE);
    var row = Rows.of(stack.topology(), "c2");
    try {
      return client.session().put(NewCell.of(row, "BASE", 1, "1")).isAtLeast(Reached.VISIBLE);
    } catch (CellmeshException e) {
      return false;
    }
  }

  /** Nothing untrue was told, and all that was accepted is visible in the end. */
  private void settle(Flow flow) {
    assertThat(flow.ledger().lies()).isEmpty();
    var accepted = flow.ledger().where(entry -> entry.kind() == Kind.PUT && !entry.failed());
    assertThat(accepted).isNotEmpty();
    try (var look = new OwnLook(stack)) {
      for (var entry : accepted) {
        if (isVisible(look, entry)) {
          continue;
        }
        await("%s, told %s".formatted(entry.key(), entry.told()))
            .atMost(SOON)
            .until(() -> isVisible(look, entry));
      }
    }
  }

  private static boolean isVisible(OwnLook look, Entry entry) {
    try {
      return look.isVisible(entry.key());
    } catch (SQLException e) {
      return false;
    }
  }

  private static List<Entry> failures(Flow flow, Predicate<Entry> of) {
    return flow.ledger().where(entry -> entry.failed() && of.test(entry));
  }

  private static List<Entry> reads(Flow flow, long since, String cluster) {
    return of(flow, Kind.GET, since, cluster);
  }

  private static List<Entry> puts(Flow flow, long since, String cluster) {
    return of(flow, Kind.PUT, since, cluster);
  }

  private static List<Entry> of(Flow flow, Kind kind, long since, String cluster) {
    return flow.ledger().since(since).stream()
        .filter(entry -> entry.kind() == kind && entry.cluster().equals(cluster))
        .toList();
  }

  private static List<Entry> others(Flow flow, Kind kind, Predicate<Entry> when) {
    return flow.ledger().where(e -> e.kind() == kind && !e.cluster().equals("c1") && when.test(e));
  }

  /**
   * The 99th percentile. Of the few writes of a short run it would be the slowest, so there it is
   * the 90th, without those that were under way when the sink found out.
   */
  private static Duration slow(List<Entry> during, Kind kind, long stopped) {
    return Figures.isFull() || kind == Kind.GET
        ? Ledger.percentile(99, during)
        : Ledger.percentile(
            90,
            during.stream()
                .filter(entry -> entry.begun() - stopped - NOTICED.toNanos() >= 0)
                .toList());
  }

  private static String bySecond(List<Entry> entries, long since) {
    return entries.stream()
        .collect(
            Collectors.groupingBy(
                entry -> Duration.ofNanos(entry.begun() - since).toSeconds(),
                TreeMap::new,
                Collectors.collectingAndThen(
                    Collectors.toList(), some -> Ledger.percentile(50, some).toMillis())))
        .toString();
  }

  /** What is faster than this doubles by itself on a busy machine. */
  private static Duration twice(Duration before) {
    var least = Duration.ofMillis(100);
    return (before.compareTo(least) > 0 ? before : least).multipliedBy(2);
  }

  private static void report(String name, Flow flow, long since) {
    Report.line("%s: before %s", name, Ledger.counts(flow.ledger().where(e -> e.begun() < since)));
    Report.line("%s: since %s", name, Ledger.counts(flow.ledger().since(since)));
    for (var kind : Kind.values()) {
      Report.line(
          "%s: %s before %s, since %s",
          name,
          kind,
          Ledger.times(flow.ledger().where(e -> e.kind() == kind && e.begun() < since)),
          Ledger.times(flow.ledger().where(e -> e.kind() == kind && e.begun() >= since)));
    }
  }

  private static Duration seconds(int count) {
    return Duration.ofSeconds(count);
  }
}
