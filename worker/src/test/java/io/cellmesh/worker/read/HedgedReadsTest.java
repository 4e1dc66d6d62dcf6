package io.cellmesh.worker.read;

import static io.cellmesh.worker.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.deployment.TopologyStore;
import io.cellmesh.storage.CellLookup.Ask;
import io.cellmesh.worker.load.Deadline;
import io.cellmesh.worker.load.Priority;
import io.cellmesh.worker.load.UnavailableException;
import io.cellmesh.worker.read.FakeServers.Owed;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whom a read asks beside a server that keeps it waiting, without a server. */
class HedgedReadsTest {
  private static final String MASTER = "m:1";
  private static final String ONE = "n:1";
  private static final String OTHER = "o:1";
  private static final List<Ask> ASKS = List.of(new Ask.Row(new UUID(0, 1)));

  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
  private final FakeServers servers = new FakeServers();
  private int turn;
  private CellReads reads = reads("mysql://n:1", "mysql://o:1");

  @AfterEach
  void stop() {
    timer.shutdownNow();
  }

  @Test
  void the_other_minion_answers_while_one_hangs_and_the_answer_is_told_as_its_own()
      throws Exception {
    save(200);
    servers.hung.add(ONE);

    var served = firstOf(ONE, ReadFrom.MINION).get(10, TimeUnit.SECONDS);

    assertThat(served.by()).isEqualTo("c1/minion/o:1");
    assertThat(Double.parseDouble(served.staleUpTo().orElseThrow())).isBetween(0.0, 10.0);
    await().until(() -> servers.owed.get(0).answer().isCancelled());
    await()
        .untilAsserted(
            () ->
                assertThat(reads.hedges()).isEqualTo(Map.of("won", 1L, "lost", 0L, "capped", 0L)));
  }

  @Test
  void nobody_else_is_asked_of_one_that_answers_or_on_behalf_of_the_master() throws Exception {
    save(200);
    assertThat(servers.asked).hasSizeLessThan(250);

    servers.hung.add(MASTER);
    assertThatThrownBy(() -> read(ReadFrom.MASTER, Map.of(), 200).get(10, TimeUnit.SECONDS))
        .hasCauseInstanceOf(UnavailableException.class);
    assertThat(reads.hedges().values()).containsOnly(0L);
  }

  @Test
  void a_few_of_a_hundred_reads_are_hedged_and_the_others_go_on_waiting() throws Exception {
    save(40);
    servers.hung.add(ONE);
    var waiting = new ArrayList<CompletableFuture<Served>>();
    for (int i = 0; i < 10; i++) {
      waiting.add(firstOf(ONE, ReadFrom.MINION));
    }
    await().until(() -> reads.hedges().get("won") + reads.hedges().get("capped") == 10);

    // 40 before them and up to 20 of their own, at one in twenty.
    assertThat(reads.hedges().get("won")).isBetween(2L, 3L);
    long owing = waiting.stream().filter(read -> !read.isDone()).count();
    assertThat(owing).isEqualTo(reads.hedges().get("capped"));
    servers.owed.stream().filter(owed -> owed.server().equals(ONE)).forEach(this::pay);
    for (var read : waiting) {
      read.get(10, TimeUnit.SECONDS);
    }
  }

  @Test
  void nobody_is_asked_who_has_a_queue() throws Exception {
    save(200);
    servers.hung.add(ONE);
    servers.busy.add(OTHER);
    var read = firstOf(ONE, ReadFrom.MINION);

    await().until(() -> reads.hedges().get("capped") == 1);
    pay(servers.owed.get(0));
    assertThat(read.get(10, TimeUnit.SECONDS).by()).isEqualTo("c1/minion/n:1");
  }

  @Test
  void the_master_is_asked_beside_a_minion_for_one_read_in_a_hundred() throws Exception {
    reads = reads("mysql://n:1");
    save(180);
    servers.hung.add(ONE);
    var hedged = read(ReadFrom.MINION, Map.of(), 60_000).get(10, TimeUnit.SECONDS);
    assertThat(hedged.by()).isEqualTo("c1/master/m:1");
    assertThat(hedged.staleUpTo()).as("a master's answer lacks nothing").isEmpty();

    var capped = read(ReadFrom.MINION, Map.of(), 60_000);
    await().until(() -> reads.hedges().get("capped") == 1);
    assertThat(capped).isNotDone();
  }

  @Test
  void one_that_has_not_come_to_the_position_is_not_heard_whoever_is_first() throws Exception {
    save(200);
    servers.positions.putAll(Map.of(MASTER, 5L, ONE, 6L, OTHER, 5L));
    servers.hung.add(ONE);
    int before = servers.asked.size();
    var read = firstOf(ONE, ReadFrom.ANY, Map.of(0, 5L));

    await().until(() -> servers.asked.subList(before, servers.asked.size()).contains(OTHER));
    Thread.sleep(30);
    assertThat(read).isNotDone();
    // What is absent beside the position is looked for once more.
    await()
        .until(
            () -> {
              servers.owed.stream().filter(owed -> owed.server().equals(ONE)).forEach(this::pay);
              return read.isDone();
            });
    var served = read.get(10, TimeUnit.SECONDS);
    assertThat(served.by()).isEqualTo("c1/minion/n:1");
    assertThat(reads.hedges()).containsEntry("lost", 1L).containsEntry("won", 0L);
  }

  @Test
  void when_one_of_the_two_fails_the_other_is_waited_for() throws Exception {
    save(400);
    servers.hung.addAll(List.of(ONE, OTHER));
    var first = firstOf(ONE, ReadFrom.MINION);
    await().until(() -> servers.owed.size() == 2);
    servers.owed.get(0).answer().completeExceptionally(new UnavailableException("gone"));
    assertThat(first).isNotDone();
    pay(servers.owed.get(1));
    assertThat(first.get(10, TimeUnit.SECONDS).by()).isEqualTo("c1/minion/o:1");

    servers.owed.clear();
    var second = firstOf(ONE, ReadFrom.MINION);
    await().until(() -> servers.owed.size() == 2);
    servers.owed.get(1).answer().completeExceptionally(new IllegalStateException("a defect"));
    assertThat(second).as("a hedge fails no read").isNotDone();
    pay(servers.owed.get(0));
    assertThat(second.get(10, TimeUnit.SECONDS).by()).isEqualTo("c1/minion/n:1");
    assertThat(servers.asked.subList(servers.asked.size() - 2, servers.asked.size()))
        .as("nobody was asked a second time")
        .containsExactly(ONE, OTHER);
  }

  @Test
  void when_both_fail_the_next_one_is_asked() throws Exception {
    save(200);
    servers.hung.addAll(List.of(ONE, OTHER));
    var read = firstOf(ONE, ReadFrom.MINION);
    await().until(() -> servers.owed.size() == 2);
    for (var owed : servers.owed) {
      owed.answer().completeExceptionally(new UnavailableException("gone"));
    }
    assertThat(read.get(10, TimeUnit.SECONDS).by()).isEqualTo("c1/master/m:1");
  }

  @Test
  void answers_that_were_given_up_count_among_the_slow_ones() throws Exception {
    save(200);
    servers.hung.add(ONE);
    servers.busy.add(OTHER);
    var given = new ArrayList<CompletableFuture<Served>>();
    for (int i = 0; i < 10; i++) {
      given.add(firstOf(ONE, ReadFrom.MINION, Map.of(), 60));
    }
    await().until(() -> given.stream().allMatch(CompletableFuture::isDone));
    servers.hung.clear();
    servers.busy.clear();
    save(100);

    servers.hung.add(ONE);
    long begun = System.nanoTime();
    assertThat(firstOf(ONE, ReadFrom.MINION).get(10, TimeUnit.SECONDS).by()).contains("o:1");
    assertThat(Duration.ofNanos(System.nanoTime() - begun))
        .isGreaterThanOrEqualTo(Hedging.LONGEST.minusMillis(2));
  }

  @Test
  void a_deadline_leaves_nothing_in_the_queues() {
    // Again where the machine was so late that the deadline came before the second one was asked.
    await()
        .untilAsserted(
            () -> {
              servers.hung.clear();
              save(200);
              servers.hung.addAll(List.of(ONE, OTHER));
              servers.owed.clear();
              assertThatThrownBy(
                      () -> read(ReadFrom.MINION, Map.of(), 200).get(10, TimeUnit.SECONDS))
                  .hasCauseInstanceOf(UnavailableException.class);
              assertThat(servers.owed).hasSize(2);
            });
    await().until(() -> servers.owed.stream().allMatch(owed -> owed.answer().isCancelled()));
  }

  private void pay(Owed owed) {
    owed.answer().complete(servers.answer(owed.server(), List.of(0)));
  }

  /** Reads that are answered at once, which earn hedges. */
  private void save(int count) {
    for (int i = 0; i < count; i++) {
      assertThat(read(ReadFrom.MINION, Map.of(), 5_000)).isDone();
    }
  }

  private CompletableFuture<Served> firstOf(String server, ReadFrom from) {
    return firstOf(server, from, Map.of());
  }

  /** A read that asks a minion first: every other turn is its own. */
  private CompletableFuture<Served> firstOf(
      String server, ReadFrom from, Map<Integer, Long> notBefore) {
    return firstOf(server, from, notBefore, 60_000);
  }

  private CompletableFuture<Served> firstOf(
      String server, ReadFrom from, Map<Integer, Long> notBefore, long deadlineMillis) {
    if (turn % 2 != (server.equals(ONE) ? 0 : 1)) {
      assertThat(read(ReadFrom.MASTER, Map.of(), 5_000)).isDone();
    }
    return read(from, notBefore, deadlineMillis);
  }

  private CompletableFuture<Served> read(
      ReadFrom from, Map<Integer, Long> notBefore, long deadlineMillis) {
    turn++;
    var deadline = Deadline.in(Duration.ofMillis(deadlineMillis), System::nanoTime);
    return reads.read("c1", ASKS, new CellReads.Terms(from, notBefore, Priority.NORMAL, deadline));
  }

  private CellReads reads(String... minions) {
    var map = new ShardMap(FakeServers.topology(minions), TopologyStore.ofFile(Path.of("none")));
    return new CellReads(map, servers, timer, System::nanoTime);
  }
}
