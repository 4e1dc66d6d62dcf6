package io.cellmesh.connect.sink;

import static io.cellmesh.connect.sink.SinkStack.json;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.Names;
import io.cellmesh.devstack.MySqlServer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The sink in a real worker, over real clusters. */
class CellSinkIT {
  private static final Duration SOON = Duration.ofSeconds(30);

  /** Long enough for the worker to commit offsets, which it does every second, more than once. */
  private static final Duration COMMITS = Duration.ofSeconds(4);

  private static SinkStack stack;

  @BeforeAll
  static void start() throws Exception {
    stack = SinkStack.start();
  }

  @AfterAll
  static void stop() {
    if (stack != null) {
      stack.close();
    }
  }

  @Test
  void a_cell_becomes_a_row_of_its_shard_and_its_copy_goes() throws Exception {
    var row = stack.rowOf("c1");
    stack.produce(row, json(row, "BASE", 1, "{\"fare\":12.95}")).get();
    await().atMost(SOON).until(() -> stack.cells(row) == 1);
    await().atMost(SOON).until(() -> stack.buffered("c1") == 0);
  }

  @Test
  void an_equal_body_is_a_success_and_another_body_a_conflict_that_changes_nothing()
      throws Exception {
    var row = stack.rowOf("c2");
    // Side by side, so that they meet in one batch.
    stack.produce(row, json(row, "BASE", 1, "{\"a\":1,\"b\":2}"));
    stack.produce(row, json(row, "BASE", 1, "{\"b\":2.0,\"a\":1}"));
    var second = stack.produce(row, json(row, "BASE", 1, "{\"a\":9}")).get();
    stack.produce(row, json(row, "BASE", 2, "{}")).get();
    await().atMost(SOON).until(() -> stack.cells(row) == 2);
    var reason = reasonOf(second);
    assertThat(reason)
        .contains(row + "/BASE/1")
        .containsPattern("kept sha256:[0-9a-f]{64}, refused sha256:[0-9a-f]{64}");
    assertThat(
            stack
                .masterOf(row)
                .query(
                    "SELECT GROUP_CONCAT(LOWER(HEX(topic_id)), '@', partition_no, '@', record_offset, '@', kept_origin, '@', refused_origin)"
                        + " FROM trips_meta.conflict WHERE row_key = UUID_TO_BIN('%s')"
                            .formatted(row)))
        .as("the ledger")
        .isEqualTo(
            "%s@%d@%d@dc1@dc1"
                .formatted(topicId("trips.cells"), second.partition(), second.offset()));
  }

  @Test
  void base_in_capitals_and_in_small_letters_are_two_columns() throws Exception {
    var row = stack.rowOf("c3");
    stack.produce(row, json(row, "BASE", 1, "1")).get();
    stack.produce(row, json(row, "base", 1, "2")).get();
    await().atMost(SOON).until(() -> stack.cells(row) == 2);
  }

  @Test
  void bad_input_is_rejected_with_its_reason_and_the_next_good_cell_arrives() throws Exception {
    var row = stack.rowOf("c1");
    var partition = stack.topology().shards().partitionOf(stack.topology().shards().of(row));
    var key = row.toString().getBytes(UTF_8);
    var wrong = (partition + 1) % stack.topology().shards().partitions();
    var good = json(row, "BASE", 1, "1").getBytes(UTF_8);
    var sent =
        List.of(
            stack.produce("trips.cells", partition, key, "not json".getBytes(UTF_8)).get(),
            stack.produce("trips.cells", partition, key, null).get(),
            stack.produce("trips.cells", wrong, key, good).get(),
            stack.produce(row, json(row, "BASE", 1, "\"" + "x".repeat((1 << 20) - 1) + "\"")).get(),
            stack.produce("trips.mesh", partition, key, good).get());
    var reasons = new ArrayList<String>();
    for (var record : sent) {
      reasons.add(reasonOf(record));
    }
    assertThat(reasons.get(0)).contains("record: not JSON");
    assertThat(reasons.get(1)).contains("its value is null");
    assertThat(reasons.get(2)).contains("murmur2").contains(row.toString());
    assertThat(reasons.get(3)).contains("over the limit of 1048576");
    assertThat(reasons.get(4)).contains("origin: missing");
    stack.produce("trips.cells", partition, key, good).get();
    await().atMost(SOON).until(() -> stack.cells(row) == 1);
  }

  @Test
  void a_compressed_record_over_every_limit_is_told_to_the_byte_and_stops_nothing()
      throws Exception {
    var row = stack.rowOf("c1");
    for (int megabytes : List.of(4, 8)) {
      var value = json(row, "BASE", 1, '"' + "x".repeat(megabytes * 1_150_000) + '"').getBytes();
      var told = rejected(stack.produceCompressed(row, value));
      assertThat(told.value()).isEqualTo(value);
      assertThat(header(told, "exception.message")).contains("over the limit");
    }
    stack.produce(row, json(row, "BASE", 1, "1")).get();
    await().atMost(SOON).until(() -> stack.cells(row) == 1);
  }

  @Test
  void a_record_that_trips_rejected_can_not_take_is_told_without_its_value() throws Exception {
    var row = stack.rowOf("c2");
    var noise = new byte[(4 << 20) - 300];
    new Random(1).nextBytes(noise);
    var larger = json(row, "BASE", 1, '"' + "y".repeat(40 << 20) + '"').getBytes();
    for (var value : List.of(noise, larger)) {
      var told = rejected(stack.produceCompressed(row, value));
      assertThat(told.value()).isNull();
      assertThat(told.key()).isEqualTo(row.toString().getBytes());
      assertThat(told.headers().lastHeader("__cellmesh.rejected.value.size").value())
          .isEqualTo(String.valueOf(value.length).getBytes());
      assertThat(told.headers().lastHeader("__cellmesh.rejected.value.sha256").value())
          .isEqualTo(sha256(value).getBytes());
    }
    stack.produce(row, json(row, "BASE", 1, "1")).get();
    await().atMost(SOON).until(() -> stack.cells(row) == 1);
  }

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
    produceVersions(waiting, 1, 100);
    var conflict = stack.produce(waiting, json(waiting, "BASE", 50, "\"another\"")).get();
    var other = stack.rowOf("c1");
    stack.produce(other, json(other, "BASE", 1, "1")).get();
    await().atMost(SOON).until(() -> stack.cells(other) == 1);
    assertThat(stack.buffered("c3")).isGreaterThanOrEqualTo(100);
    // Cells go on coming while it returns: newer ones must not pass those in the buffers.
    var coming = CompletableFuture.runAsync(() -> produceVersions(waiting, 101, 800));
    primary.start();
    primary.awaitReady();
    primary.openMaster();
    coming.join();
    await().atMost(SOON).until(() -> stack.cells(waiting) == 801);
    assertThat(refKeys(waiting))
        .isEqualTo(IntStream.rangeClosed(0, 800).mapToObj(String::valueOf).toList());
    await().atMost(Duration.ofSeconds(60)).until(() -> stack.buffered("c3") == 0);
    assertThat(reasonOf(conflict)).contains(waiting + "/BASE/50");
  }

  @Test
  void what_is_missing_among_the_copies_is_read_from_the_topic_again_and_stays_in_order()
      throws Exception {
    var primary = stack.cluster("c2").master();
    var waiting = stack.rowOf("c2");
    primary.kill();
    produceVersions(waiting, 0, 199);
    await().atMost(SOON).until(() -> stack.buffered("c2") >= 200);
    double rewinds = stack.metric("rewinds-total");
    int lost = 0;
    for (var secondary : List.of("c1", "c3")) {
      var copies = "FROM trips_meta.buffer WHERE primary_cluster = 'c2' AND next_offset % 7 = 0";
      var master = stack.cluster(secondary).master();
      lost += Integer.parseInt(master.query("SELECT COUNT(*) " + copies));
      master.execute("DELETE " + copies);
    }
    assertThat(lost).as("copies lost").isPositive();
    primary.start();
    primary.awaitReady();
    primary.openMaster();
    await().atMost(SOON).until(() -> stack.cells(waiting) == 200);
    assertThat(refKeys(waiting))
        .isEqualTo(IntStream.range(0, 200).mapToObj(String::valueOf).toList());
    assertThat(stack.metric("rewinds-total")).as("rewinds").isGreaterThan(rewinds);
  }

  @Test
  void what_a_killed_worker_left_in_the_buffers_comes_although_no_record_follows()
      throws Exception {
    var primary = stack.cluster("c1").master();
    var waiting = stack.rowOf("c1");
    primary.kill();
    produceVersions(waiting, 0, 48);
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
    assertThat(refKeys(waiting))
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

  private static void awaitTwoCopies() {
    for (var secondary : List.of("c1", "c2")) {
      await()
          .atMost(Duration.ofSeconds(15))
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
    produceVersions(row, 1, 50);
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
    produceVersions(row, 51, 100);
    await().atMost(SOON).until(() -> stack.cells(row) == 101);
    assertThat(refKeys(row))
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
    assertThat(refKeys(row)).isEqualTo(IntStream.range(0, 2000).mapToObj(String::valueOf).toList());
  }

  @Test
  void a_changed_shard_count_is_refused_with_the_value_to_restore() throws Exception {
    var settings = stack.shipped();
    settings.compute(
        "topology",
        (name, yaml) ->
            yaml.replace("shards: 64", "shards: 128")
                .replace("43-63", "43-127")
                .replace("42-63", "42-127"));
    assertThat(stack.devStack().worker("dc1").client().validate(settings).toString())
        .contains("shards is fixed when an instance is created")
        .contains("restore `shards: 64`");
  }

  @Test
  void a_master_that_could_lose_secured_cells_in_a_crash_is_refused_or_warned_about_if_asked()
      throws Exception {
    var client = stack.devStack().worker("dc1").client();
    var settings = stack.shipped();
    var master = stack.cluster("c1").master();
    master.execute("SET GLOBAL innodb_flush_log_at_trx_commit = 2");
    try {
      assertThat(client.validate(settings).toString())
          .contains("c1 master (" + master.host() + ":" + master.port() + ")")
          .contains("innodb_flush_log_at_trx_commit is 2; set it to 1");
      settings.put("mysql.durability.check", "warn");
      assertThat(client.validate(settings).toString()).doesNotContain("set it to 1");
    } finally {
      master.execute("SET GLOBAL innodb_flush_log_at_trx_commit = 1");
    }
  }

  @Test
  void a_minion_that_filters_since_it_is_back_keeps_its_copies_and_stops_the_task()
      throws Exception {
    var minion = stack.cluster("c2").minions().get(0);
    await().atMost(SOON).until(() -> stack.buffered("c2") == 0);
    minion.execute("STOP REPLICA");
    minion.execute("CHANGE REPLICATION FILTER REPLICATE_IGNORE_TABLE = (nothing.at_all)");
    try {
      var row = stack.rowOf("c2");
      stack.produce(row, json(row, "BASE", 1, "1")).get();
      await().atMost(SOON).until(() -> stack.cells(row) == 1);
      minion.execute("START REPLICA");
      assertThat(refusal()).contains("c2 minion").contains("remove the filter");
      assertThat(stack.buffered("c2")).isGreaterThanOrEqualTo(1);
    } finally {
      minion.execute("STOP REPLICA");
      minion.execute("CHANGE REPLICATION FILTER REPLICATE_IGNORE_TABLE = ()");
      minion.execute("START REPLICA");
      goOn();
    }
    await().atMost(SOON).until(() -> stack.buffered("c2") == 0);
  }

  @Test
  void a_server_that_was_down_at_the_start_is_judged_when_it_is_back_and_can_stop_the_task()
      throws Exception {
    var minion = stack.cluster("c3").minions().get(0);
    minion.execute("STOP REPLICA");
    minion.execute("SET PERSIST replica_parallel_workers = 4");
    minion.execute("SET PERSIST replica_preserve_commit_order = OFF");
    minion.kill();
    try {
      goOn();
      minion.start();
      minion.awaitReady();
      assertThat(refusal()).contains("c3 minion").contains("replica_preserve_commit_order");
    } finally {
      minion.execute("STOP REPLICA");
      minion.execute("SET GLOBAL replica_preserve_commit_order = ON");
      minion.execute("RESET PERSIST");
      minion.execute("START REPLICA");
      goOn();
    }
  }

  @Test
  void a_topic_with_a_wrong_partition_count_is_refused() throws Exception {
    var settings = stack.shipped();
    settings.compute(
        "topology", (name, yaml) -> yaml.replace("instance: trips", "instance: other"));
    settings.put("topics", "other.cells");
    try (var admin = stack.devStack().broker("dc1").admin()) {
      admin.createTopics(List.of(new NewTopic("other.cells", 4, (short) 1))).all().get();
      admin.createPartitions(Map.of("other.cells", NewPartitions.increaseTo(5))).all().get();
    }
    assertThat(stack.devStack().worker("dc1").client().validate(settings).toString())
        .contains("other.cells has 5 partitions, the topology says partitions: 16")
        .contains("instance other was never created on cluster c1");
  }

  @Test
  void a_pattern_of_topics_is_taken_while_it_matches_ingest_topics_alone() throws Exception {
    var client = stack.devStack().worker("dc1").client();
    var settings = stack.shipped();
    settings.put("name", "trips-sink");
    settings.remove("topics");
    settings.put("topics.regex", "trips\\.(cells|mesh)");
    assertThat(client.validate(settings)).isEmpty();
    settings.put("topics.regex", "trips\\..*");
    settings.remove("value.converter");
    assertThat(client.validate(settings).toString()).contains("value.converter: must be ");
    settings.put("value.converter", "ByteArrayConverter");
    assertThat(client.validate(settings).toString())
        .contains("topics.regex: matches trips.rejected, not one of [trips.cells, trips.mesh]");
  }

  /** Why a task has failed. */
  private static String refusal() {
    var client = stack.devStack().worker("dc1").client();
    return await()
        .atMost(SOON)
        .until(
            () ->
                client.status("trips-sink").stream()
                    .flatMap(status -> status.tasks().stream())
                    .map(task -> task.trace())
                    .filter(trace -> !trace.isEmpty())
                    .findFirst()
                    .orElse(null),
            trace -> trace != null);
  }

  private static void goOn() {
    var client = stack.devStack().worker("dc1").client();
    for (int task = 0; task < client.status("trips-sink").orElseThrow().tasks().size(); task++) {
      client.restartTask("trips-sink", task);
    }
    // Connect shows the state of before for a moment.
    await()
        .atMost(SOON)
        .until(
            () ->
                client
                    .status("trips-sink")
                    .filter(status -> status.isRunning() && status.failure().isEmpty())
                    .isPresent());
  }

  /** As the ledger has it, in hexadecimal. */
  private static String topicId(String topic) throws Exception {
    try (var admin = stack.devStack().broker("dc1").admin()) {
      var id = admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic).topicId();
      return "%016x%016x".formatted(id.getMostSignificantBits(), id.getLeastSignificantBits());
    }
  }

  private static void produceVersions(UUID row, int first, int last) {
    try {
      for (int i = first; i <= last; i++) {
        stack.produce(row, json(row, "BASE", i, String.valueOf(i))).get();
      }
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<String> refKeys(UUID row) {
    var table = Names.database("trips", stack.topology().shards().of(row)) + ".entity";
    var sql =
        "SELECT GROUP_CONCAT(ref_key ORDER BY added_id) FROM %s WHERE row_key = UUID_TO_BIN('%s')"
            .formatted(table, row);
    try (var connection = stack.masterOf(row).connect();
        var statement = connection.createStatement()) {
      statement.execute("SET SESSION group_concat_max_len = 1000000");
      try (var rows = statement.executeQuery(sql)) {
        rows.next();
        return List.of(rows.getString(1).split(","));
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The reason in the headers of the rejected record that came from a place in an ingest topic. */
  private static String reasonOf(RecordMetadata sent) {
    return header(rejected(sent), "exception.message");
  }

  /** The rejected record that came from a place in an ingest topic. */
  private static ConsumerRecord<byte[], byte[]> rejected(RecordMetadata sent) {
    return await()
        .atMost(SOON)
        .until(
            () ->
                stack.rejected().stream()
                    .filter(r -> header(r, "topic").equals(sent.topic()))
                    .filter(r -> header(r, "partition").equals(String.valueOf(sent.partition())))
                    .filter(r -> header(r, "offset").equals(String.valueOf(sent.offset())))
                    .findFirst()
                    .orElse(null),
            told -> told != null);
  }

  private static String sha256(byte[] bytes) throws NoSuchAlgorithmException {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }

  private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    return new String(record.headers().lastHeader("__connect.errors." + name).value(), UTF_8);
  }
}
