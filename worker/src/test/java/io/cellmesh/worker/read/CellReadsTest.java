package io.cellmesh.worker.read;

import static io.cellmesh.worker.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.TopologyStore;
import io.cellmesh.storage.CellLookup.Ask;
import io.cellmesh.worker.load.Deadline;
import io.cellmesh.worker.load.OverloadedException;
import io.cellmesh.worker.load.Priority;
import io.cellmesh.worker.load.UnavailableException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whom a read asks, without a server. */
class CellReadsTest {
  private static final Topology TOPOLOGY = FakeServers.topology("mysql://n:1");
  private static final String MASTER = "m:1";
  private static final String MINION = "n:1";

  private static final List<Ask> ASKS = List.of(new Ask.Row(new UUID(0, 1)));

  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
  private final ShardMap map = new ShardMap(TOPOLOGY, TopologyStore.ofFile(Path.of("none")));
  private final FakeServers servers = new FakeServers();
  private final CellReads reads = new CellReads(map, servers, timer, System::nanoTime);

  @AfterEach
  void stop() {
    timer.shutdownNow();
  }

  @Test
  void the_master_answers_and_may_lack_nothing() throws Exception {
    var served = read(ReadFrom.MASTER, Map.of(), 5_000).get(10, TimeUnit.SECONDS);

    assertThat(served.by()).isEqualTo("c1/master/m:1");
    assertThat(served.staleUpTo()).isEmpty();
    assertThat(servers.asked).containsExactly(MASTER);
  }

  @Test
  void a_minion_stands_in_for_a_master_that_does_not_answer_and_says_so() throws Exception {
    servers.down.add(MASTER);

    var served = read(ReadFrom.MASTER, Map.of(), 5_000).get(10, TimeUnit.SECONDS);
    assertThat(served.by()).isEqualTo("c1/minion/n:1");
    assertThat(served.staleUpTo()).contains("unknown");
  }

  @Test
  void a_master_that_is_not_open_may_be_an_old_backup_so_nobody_knows_what_it_lacks()
      throws Exception {
    servers.closed.add(MASTER);

    var served = read(ReadFrom.MASTER, Map.of(), 5_000).get(10, TimeUnit.SECONDS);
    assertThat(served.by()).isEqualTo("c1/master/m:1");
    assertThat(served.staleUpTo()).contains("unknown");
  }

  @Test
  void an_answer_of_a_minion_is_compared_with_what_the_master_said_before() throws Exception {
    var served = read(ReadFrom.MINION, Map.of(), 5_000).get(10, TimeUnit.SECONDS);
    assertThat(served.by()).isEqualTo("c1/minion/n:1");
    assertThat(Double.parseDouble(served.staleUpTo().orElseThrow())).isBetween(0.0, 10.0);
    assertThat(servers.asked).containsExactly(MASTER, MINION);

    await()
        .untilAsserted(
            () -> {
              read(ReadFrom.MINION, Map.of(), 5_000).get(10, TimeUnit.SECONDS);
              servers.asked.clear();
              read(ReadFrom.MINION, Map.of(), 5_000).get(10, TimeUnit.SECONDS);
              assertThat(servers.asked).as("the master's word is fresh").containsExactly(MINION);
            });

    servers.positions.put(MASTER, 7L);
    Thread.sleep(250);
    // The first one's answer is no longer fresh, and what it asks for comes behind its own.
    read(ReadFrom.MINION, Map.of(), 5_000).get(10, TimeUnit.SECONDS);
    Thread.sleep(50);
    var behind = read(ReadFrom.MINION, Map.of(), 5_000).get(10, TimeUnit.SECONDS);
    assertThat(Double.parseDouble(behind.staleUpTo().orElseThrow())).isGreaterThan(0.25);
  }

  @Test
  void a_minion_gets_its_time_to_come_to_a_position() {
    servers.positions.put(MASTER, 6L);
    await()
        .untilAsserted(
            () -> {
              servers.positions.put(MINION, 0L);
              timer.schedule(() -> servers.positions.put(MINION, 6L), 15, TimeUnit.MILLISECONDS);

              var served = read(ReadFrom.ANY, Map.of(0, 5L), 5_000).get(10, TimeUnit.SECONDS);
              assertThat(served.by()).isEqualTo("c1/minion/n:1");
            });
  }

  @Test
  void the_master_answers_when_the_minion_does_not_come_to_the_position() throws Exception {
    servers.positions.put(MASTER, 6L);

    long begun = System.nanoTime();
    var served = read(ReadFrom.MINION, Map.of(0, 5L), 5_000).get(10, TimeUnit.SECONDS);
    assertThat(served.by()).isEqualTo("c1/master/m:1");
    assertThat(Duration.ofNanos(System.nanoTime() - begun))
        .isBetween(Duration.ofMillis(45), Duration.ofSeconds(10));
  }

  @Test
  void nobody_answers_who_has_not_the_position_until_the_deadline() {
    servers.positions.put(MASTER, 5L);

    await()
        .untilAsserted(
            () -> {
              servers.asked.clear();
              assertThatThrownBy(
                      () -> read(ReadFrom.MASTER, Map.of(0, 5L), 200).get(10, TimeUnit.SECONDS))
                  .isInstanceOf(ExecutionException.class)
                  .hasCauseInstanceOf(UnavailableException.class)
                  .hasMessageContaining("has not come to the position yet");
              assertThat(servers.asked).hasSizeGreaterThan(4);
            });
  }

  @Test
  void a_read_that_asks_again_and_again_keeps_no_answer_but_the_last() throws Exception {
    servers.positions.put(MASTER, 5L);

    var read = read(ReadFrom.MASTER, Map.of(0, 5L), 1_000);
    assertThatThrownBy(() -> read.get(10, TimeUnit.SECONDS))
        .hasCauseInstanceOf(UnavailableException.class);
    assertThat(servers.asked).hasSizeGreaterThan(4);
    // It is told before what it kept is given up.
    Thread.sleep(100);
    assertThat(servers.givenUpInVain).hasValueLessThanOrEqualTo(2);
  }

  @Test
  void a_position_of_another_partition_says_nothing_of_the_row() throws Exception {
    assertThat(read(ReadFrom.MASTER, Map.of(9, 5L), 5_000).get(10, TimeUnit.SECONDS).by())
        .contains("master");
  }

  @Test
  void a_cluster_that_is_away_is_asked_again_until_the_deadline() throws Exception {
    servers.down.addAll(List.of(MASTER, MINION));
    await()
        .untilAsserted(
            () -> {
              servers.asked.clear();
              assertThatThrownBy(
                      () -> read(ReadFrom.MASTER, Map.of(), 300).get(10, TimeUnit.SECONDS))
                  .hasCauseInstanceOf(UnavailableException.class);
              assertThat(servers.asked).as("not without a pause").hasSizeBetween(4, 12);
            });

    var waiting = read(ReadFrom.MASTER, Map.of(), 30_000);
    servers.down.clear();
    assertThat(waiting.get(30, TimeUnit.SECONDS).by()).contains("master");
  }

  @Test
  void an_overloaded_server_is_passed_over_and_if_all_are_it_is_told_at_once() throws Exception {
    servers.full.add(MASTER);
    assertThat(read(ReadFrom.MASTER, Map.of(), 5_000).get(10, TimeUnit.SECONDS).by())
        .contains("minion");

    servers.full.add(MINION);
    assertThatThrownBy(() -> read(ReadFrom.MASTER, Map.of(), 60_000).get(10, TimeUnit.SECONDS))
        .hasCauseInstanceOf(OverloadedException.class);
  }

  @Test
  void a_deadline_is_kept_while_a_server_hangs() {
    servers.hung.add(MASTER);

    assertThatThrownBy(() -> read(ReadFrom.MASTER, Map.of(), 100).get(10, TimeUnit.SECONDS))
        .hasCauseInstanceOf(UnavailableException.class);
  }

  @Test
  void only_a_read_of_the_master_may_keep_the_thread_that_begins_it_and_only_once()
      throws Exception {
    for (var from : List.of(ReadFrom.MINION, ReadFrom.ANY)) {
      read(from, Map.of(), 5_000).get(10, TimeUnit.SECONDS);
    }
    servers.down.add(MINION);
    assertThat(read(ReadFrom.ANY, Map.of(), 5_000).get(10, TimeUnit.SECONDS).by())
        .contains("master");
    assertThat(servers.askedHere).isEmpty();

    servers.positions.put(MASTER, 5L);
    timer.schedule(() -> servers.positions.put(MASTER, 6L), 30, TimeUnit.MILLISECONDS);
    read(ReadFrom.MASTER, Map.of(0, 5L), 5_000).get(10, TimeUnit.SECONDS);
    assertThat(servers.askedHere).containsExactly(MASTER);
  }

  @Test
  void what_a_server_lacks_beside_the_position_is_asked_for_once_more() throws Exception {
    servers.positions.put(MINION, 6L);
    read(ReadFrom.MINION, Map.of(0, 5L), 5_000).get(10, TimeUnit.SECONDS);
    assertThat(servers.asked.stream().filter(MINION::equals)).hasSize(2);

    servers.asked.clear();
    read(ReadFrom.MINION, Map.of(), 5_000).get(10, TimeUnit.SECONDS);
    assertThat(servers.asked.stream().filter(MINION::equals)).hasSize(1);
  }

  @Test
  void a_master_is_none_any_more_once_any_server_knows_a_later_epoch() throws Exception {
    servers.epoch = 4;

    var served = read(ReadFrom.MASTER, Map.of(), 5_000).get(10, TimeUnit.SECONDS);
    assertThat(served.by()).doesNotContain("master");
    assertThat(served.staleUpTo()).contains("unknown");
  }

  @Test
  void what_mysql_refuses_is_not_asked_of_another_server() {
    servers.failure = new IllegalStateException("a defect");

    assertThatThrownBy(() -> read(ReadFrom.MASTER, Map.of(), 5_000).get(10, TimeUnit.SECONDS))
        .hasRootCauseMessage("a defect");
    assertThat(servers.asked).hasSize(1);
  }

  private CompletableFuture<Served> read(
      ReadFrom from, Map<Integer, Long> notBefore, long deadlineMillis) {
    var deadline = Deadline.in(Duration.ofMillis(deadlineMillis), System::nanoTime);
    return reads.read("c1", ASKS, new CellReads.Terms(from, notBefore, Priority.NORMAL, deadline));
  }
}
