package io.cellmesh.connect.sink;

import static io.cellmesh.connect.sink.SinkStack.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.devstack.MySqlServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/**
 * Servers and workers that are slow, down or killed: the copies of their cells wait in the buffers,
 * and no cell is lost or put out of order.
 */
class CopiesAndOutagesIT {
  private static final Duration SOON = Duration.ofSeconds(30);

  /** Long enough for the worker to commit offsets, which it does every second, more than once. */
  private static final Duration COMMITS = Duration.ofSeconds(4);

  private final SinkStack stack = SinkStack.shared();
  private final Rejections rejections = new Rejections(stack);

  @Test
  void a_copy_stays_while_the_minion_is_stopped_and_goes_once_it_is_back() throws Exception {
    var minion = stack.cluster("c2").minions().get(0);
    minion.execute("STOP REPLICA");
    var row = stack.rowOf("c2");
    stack.produce(row, json(row, "BASE", 1, "1")).get();
    await().atMost(SOON).until(() -> stack.cells(row) == 1);
    await().during(Duration.ofSeconds(3)).atMost(SOON).until(() -> stack.buffered("c2") >= 1);
    minion.execute("START REPLICA");
    await().atMost(SOON).until(() -> stack.buffered("c2") == 0);
  }

  @Test
  void a_dead_primary_delays_nobody_else_and_its_cells_come_in_order_when_it_is_back()
      throws Exception {
    var primary = stack.cluster("c3").master();
    var waiting = stack.rowOf("c3");
    stack.produce(waiting, json(waiting, "BASE", 0, "0")).get();
    await().atMost(SOON).until(() -> stack.cells(waiting) == 1);
    primary.kill();
    stack.produceVersions(waiting, 1, 100);
    var conflict = stack.produce(waiting, json(waiting, "BASE", 50, "\"another\"")).get();
    var other = stack.rowOf("c1");
    stack.produce(other, json(other, "BASE", 1, "1")).get();
    await().atMost(SOON).until(() -> stack.cells(other) == 1);
    // Another task's, maybe.
    await().atMost(SOON).until(() -> stack.buffered("c3") >= 100);
    // Cells go on coming while it returns: newer ones must not pass those in the buffers.
    var coming = CompletableFuture.runAsync(() -> stack.produceVersions(waiting, 101, 800));
    primary.start();
    primary.awaitReady();
    primary.openMaster();
    coming.join();
    await().atMost(SOON).until(() -> stack.cells(waiting) == 801);
    assertThat(stack.refKeys(waiting))
        .isEqualTo(IntStream.rangeClosed(0, 800).mapToObj(String::valueOf).toList());
    await().atMost(Duration.ofSeconds(60)).until(() -> stack.buffered("c3") == 0);
    assertThat(rejections.reasonOf(conflict)).contains(waiting + "/BASE/50");
    assertThat(stack.metric("failed-commits-total")).as("of those that it asked for").isZero();
  }

  @Test
  void what_the_sink_has_committed_is_asked_for_without_waiting() throws Exception {
    var row = stack.rowOf("c1");
    var last = stack.produce(row, json(row, "BASE", 1, "1")).get();
    await().atMost(SOON).until(() -> stack.committed(last.partition()) == last.offset() + 1);
    var at = new TopicPartition(last.topic(), last.partition());
    var kafka = Map.<String, Object>of("bootstrap.servers", stack.bootstrap());
    try (var committed = new CommittedOffsets(kafka, "connect-trips-sink")) {
      assertThat(committed.answer()).as("nobody has asked").isEmpty();
      committed.ask(Set.of(at, new TopicPartition("trips.other", 0)));
      var answer = await().atMost(SOON).until(committed::answer, Optional::isPresent);
      assertThat(answer).contains(Map.of(at, last.offset() + 1));
      assertThat(committed.answer()).as("it is told once").isEmpty();
    }
  }

  @Test
  void what_is_missing_among_the_copies_is_read_from_the_topic_again_and_stays_in_order()
      throws Exception {
    var primary = stack.cluster("c2").master();
    var waiting = stack.rowOf("c2");
    primary.kill();
    stack.produceVersions(waiting, 0, 199);
    await().atMost(SOON).until(() -> stack.buffered("c2") >= 200);
    double rewinds = stack.metric("rewinds-total");
    var secondaries = List.of(stack.cluster("c1").master(), stack.cluster("c3").master());
    var waits = "FROM trips_meta.buffer WHERE primary_cluster = 'c2'";
    long least =
        secondaries.stream()
            .map(
                secondary -> secondary.query("SELECT COALESCE(MIN(next_offset), 1 << 62) " + waits))
            .mapToLong(Long::parseLong)
            .min()
            .orElseThrow();
    // However few copies there are, one of them is among those.
    var some = waits + " AND (next_offset % 7 = 0 OR next_offset = " + least + ")";
    int lost = 0;
    for (var secondary : secondaries) {
      lost += Integer.parseInt(secondary.query("SELECT COUNT(*) " + some));
      secondary.execute("DELETE " + some);
    }
    assertThat(lost).as("copies lost").isPositive();
    primary.start();
    primary.awaitReady();
    primary.openMaster();
    await().atMost(SOON).until(() -> stack.cells(waiting) == 200);
    assertThat(stack.refKeys(waiting))
        .isEqualTo(IntStream.range(0, 200).mapToObj(String::valueOf).toList());
    assertThat(stack.metric("rewinds-total")).as("rewinds").isGreaterThan(rewinds);
  }

  @Test
  void what_a_killed_worker_left_in_the_buffers_comes_although_no_record_follows()
      throws Exception {
    var primary = stack.cluster("c1").master();
    var waiting = stack.rowOf("c1");
    primary.kill();
    stack.produceVersions(waiting, 0, 48);
    var last = stack.produce(waiting, json(waiting, "BASE", 49, "49")).get();
    // Until the offset is committed, so that the records do not come again.
    await().atMost(SOON).until(() -> stack.committed(last.partition()) == last.offset() + 1);
    stack.devStack().worker("dc1").kill();
    primary.start();
    primary.awaitReady();
    primary.openMaster();
    stack.devStack().worker("dc1").start();
    stack.devStack().worker("dc1").awaitReady();
    await().atMost(Duration.ofSeconds(60)).until(() -> stack.cells(waiting) == 50);
    assertThat(stack.refKeys(waiting))
        .isEqualTo(IntStream.range(0, 50).mapToObj(String::valueOf).toList());
  }

  @Test
  void a_cell_that_its_primary_takes_too_long_to_store_gets_a_second_copy() throws Exception {
    var row = stack.rowOf("c3");
    await().atMost(SOON).until(() -> stack.buffered("c3") == 0);
    try (var session = stack.masterOf(row).connect();
        var statement = session.createStatement()) {
      // Nothing tells the sink beforehand: the cell's transaction is begun and meets the lock.
      session.setAutoCommit(false);
      statement.execute("SELECT * FROM trips_meta.position FOR UPDATE");
      stack.produce(row, json(row, "BASE", 1, "1")).get();
      awaitTwoCopies();
    }
    await().atMost(SOON).until(() -> stack.cells(row) == 1);
    await().atMost(SOON).until(() -> stack.buffered("c3") == 0);
  }

  private void awaitTwoCopies() {
    for (var secondary : List.of("c1", "c2")) {
      await()
          .atMost(SOON)
          .untilAsserted(
              () ->
                  assertThat(stack.bufferedOn(secondary, "c3"))
                      .as("copies for c3: %s", stack.copiesOf("c3"))
                      .isEqualTo(1));
    }
  }

  @Test
  void a_late_copy_is_the_second_one_and_no_third_is_made() throws Exception {
    var row = stack.rowOf("c3");
    await().atMost(SOON).until(() -> stack.buffered("c3") == 0);
    var secondaries = List.of(stack.cluster("c1").master(), stack.cluster("c2").master());
    // So long that the other one is asked as well, and after both the one that was late would be.
    secondaries.forEach(
        secondary ->
            secondary.execute(
                "CREATE TRIGGER trips_meta.slow BEFORE INSERT ON trips_meta.buffer FOR EACH ROW"
                    + " SET @slept = SLEEP(IF(NEW.primary_cluster = 'c3', 0.4, 0))"));
    try (var session = stack.masterOf(row).connect();
        var statement = session.createStatement()) {
      session.setAutoCommit(false);
      statement.execute("SELECT * FROM trips_meta.position FOR UPDATE");
      stack.produce(row, json(row, "BASE", 1, "1")).get();
      await()
          .during(Duration.ofSeconds(1))
          .atMost(SOON)
          .until(() -> stack.bufferedOn("c1", "c3") == 1 && stack.bufferedOn("c2", "c3") == 1);
    } finally {
      secondaries.forEach(secondary -> secondary.execute("DROP TRIGGER trips_meta.slow"));
    }
    await().atMost(SOON).until(() -> stack.cells(row) == 1);
    await().atMost(SOON).until(() -> stack.buffered("c3") == 0);
  }

  @Test
  void what_waits_with_one_copy_gets_a_second_one_once_another_secondary_takes_it()
      throws Exception {
    var row = stack.rowOf("c3");
    await().atMost(SOON).until(() -> stack.buffered("c3") == 0);
    var closed = stack.cluster("c2").master();
    try (var session = stack.masterOf(row).connect();
        var statement = session.createStatement()) {
      session.setAutoCommit(false);
      statement.execute("SELECT * FROM trips_meta.position FOR UPDATE");
      closed.execute("SET GLOBAL super_read_only = ON");
      stack.produce(row, json(row, "BASE", 1, "1")).get();
      await().atMost(SOON).until(() -> stack.bufferedOn("c1", "c3") == 1);
      await()
          .during(Duration.ofSeconds(1))
          .atMost(SOON)
          .until(() -> stack.bufferedOn("c2", "c3") == 0);
      closed.openMaster();
      awaitTwoCopies();
    } finally {
      closed.openMaster();
    }
    await().atMost(SOON).until(() -> stack.cells(row) == 1);
    await().atMost(SOON).until(() -> stack.buffered("c3") == 0);
  }

  @Test
  void while_no_secondary_answers_no_offset_is_committed_and_in_the_end_no_cell_is_missing()
      throws Exception {
    var row = stack.rowOf("c1");
    var partition = stack.topology().shards().partitionOf(stack.topology().shards().of(row));
    long secured = stack.produce(row, json(row, "BASE", 0, "0")).get().offset() + 1;
    await().atMost(SOON).until(() -> stack.committed(partition) == secured);
    var secondaries = List.of(stack.cluster("c2").master(), stack.cluster("c3").master());
    secondaries.forEach(MySqlServer::kill);
    stack.produceVersions(row, 1, 50);
    await()
        .during(COMMITS)
        .atMost(SOON)
        .pollInterval(Duration.ofSeconds(1))
        .untilAsserted(
            () -> assertThat(stack.committed(partition)).as("committed offset").isEqualTo(secured));
    for (var secondary : secondaries) {
      secondary.start();
      secondary.awaitReady();
      secondary.openMaster();
    }
    stack.produceVersions(row, 51, 100);
    await().atMost(SOON).until(() -> stack.cells(row) == 101);
    assertThat(stack.refKeys(row))
        .isEqualTo(IntStream.rangeClosed(0, 100).mapToObj(String::valueOf).toList());
    await().atMost(SOON).until(() -> stack.committed(partition) == secured + 100);
  }

  @Test
  void a_killed_worker_loses_and_reorders_nothing() throws Exception {
    var row = stack.rowOf("c1");
    for (int i = 0; i < 2000; i++) {
      stack.produce(row, json(row, "BASE", i, "{\"i\":" + i + "}"));
      if (i == 700) {
        stack.devStack().worker("dc1").kill();
      }
    }
    stack.devStack().worker("dc1").start();
    stack.devStack().worker("dc1").awaitReady();
    await().atMost(Duration.ofSeconds(90)).until(() -> stack.cells(row) == 2000);
    assertThat(stack.refKeys(row))
        .isEqualTo(IntStream.range(0, 2000).mapToObj(String::valueOf).toList());
  }
}
