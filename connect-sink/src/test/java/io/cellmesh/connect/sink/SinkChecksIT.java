package io.cellmesh.connect.sink;

import static io.cellmesh.connect.sink.SinkStack.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;

/** What the sink refuses before it starts in a worker, or stops for when it sees it later. */
class SinkChecksIT {
  private static final Duration SOON = Duration.ofSeconds(30);

  private final SinkStack stack = SinkStack.shared();

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
  private String refusal() {
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

  private void goOn() {
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
}
