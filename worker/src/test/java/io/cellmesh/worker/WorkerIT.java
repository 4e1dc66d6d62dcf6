package io.cellmesh.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexEntry;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.FixedAccess;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.deployment.TopologyStore;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.MySqlServer;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import io.cellmesh.operations.instance.InstanceDatabases;
import io.cellmesh.operations.instance.InstanceTopics;
import io.cellmesh.operations.instance.TopicPlan;
import io.cellmesh.storage.MySqlOptions;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.index.IndexCatalog;
import io.cellmesh.storage.index.IndexSchema;
import io.cellmesh.storage.index.IndexTable;
import io.cellmesh.storage.index.IndexTransaction;
import io.cellmesh.storage.index.IndexVersion;
import io.cellmesh.topics.LogShape;
import io.cellmesh.worker.http.Http;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker before real MySQL and Kafka; what the sink does is under the test's hand. */
class WorkerIT {
  private static final Duration SOON = Duration.ofSeconds(30);

  @TempDir static Path dir;

  private static DevStack stack;
  private static Topology topology;
  private static Pools pools;
  private static HandSink sink;
  private static Worker worker;
  private static Http http;
  private static StorageCluster one;
  private static StorageCluster two;

  @BeforeAll
  static void start() throws Exception {
    stack =
        DevStack.start(
            Options.defaults()
                .withStateDir(dir.resolve("stack"))
                .withInstance("trips", 8, 2)
                .withDatacenters(1)
                .withClusters(2)
                .withMinions(1)
                .withWorkers(0),
            Progress.silent());
    topology = stack.topology("dc1");
    one = topology.clusters().get(0);
    two = topology.clusters().get(1);
    var root = new Credentials("root", "");
    pools = new Pools(root, MySqlOptions.DEFAULT.withMultiStatements());
    InstanceDatabases.create(topology, pools, made -> {});
    var kafka = KafkaAccess.plain(stack.broker("dc1").bootstrap());
    try (var admin = stack.broker("dc1").admin()) {
      var plan = new TopicPlan(topology.topics(), topology.shards(), LogShape.PARTITION, (short) 1);
      new InstanceTopics(admin, plan).create(List.of(), made -> {});
    }
    sink = new HandSink(topology, kafka, pools);
    var access = FixedAccess.plain(kafka.bootstrap(), URI.create("http://none"), root);
    var store = TopologyStore.ofFile(stack.topologyFile("dc1"));
    worker =
        Worker.start(
            new InetSocketAddress("127.0.0.1", 0),
            List.of(new DataCenter("dc1", topology, store, access)));
    http = new Http(worker.port());
    await().atMost(SOON).until(() -> http.get("/readyz").statusCode() == 200);
  }

  @AfterAll
  static void stop() throws Exception {
    worker.close();
    sink.close();
    pools.close();
    stack.close();
  }

  @AfterEach
  void mend() {
    sink.pause(false);
    sink.copy(false);
    sink.leaveOut(one.name(), false);
    await().atMost(SOON).until(() -> !http.get("/healthz").body().contains(":false"));
  }

  @Test
  void a_cell_that_is_told_visible_is_in_the_masters_table_and_is_read_back() throws Exception {
    for (int i = 0; i < 200; i++) {
      var row = rowOf(i % 2 == 0 ? one : two);
      var put = http.put(cell(row, 1), "{\"n\":%d}".formatted(i));
      assertThat(put.statusCode()).as(put.body()).isEqualTo(200);
      assertThat(count(row)).isEqualTo("1");
      var get = http.get(cell(row, 1));
      assertThat(Http.json(get).get("body").get("n").asInt()).isEqualTo(i);
      assertThat(servedBy(get)).contains("/master/");
    }
  }

  @Test
  void a_duplicate_is_a_success_and_another_body_a_conflict_that_becomes_final() {
    var path = cell(rowOf(one), 1);
    assertThat(http.put(path, "{\"a\":1,\"b\":2}").statusCode()).isEqualTo(200);
    assertThat(http.put(path, "{\"b\":2.0,\"a\":1}").statusCode()).isEqualTo(200);

    var conflict = http.put(path, "3");
    assertThat(conflict.statusCode()).as(conflict.body()).isEqualTo(409);
    assertThat(Http.json(conflict).get("kept").asText()).hasSize(64);
    await().atMost(SOON).until(() -> Http.json(http.put(path, "3")).get("final").asBoolean());
    assertThat(http.get(path).body()).contains("{\"a\":1,\"b\":2}");
  }

  @Test
  void what_the_sink_refuses_is_told_as_rejected_with_its_reason() {
    var put = http.put(path(rowOf(one)) + "/REFUSED/1", "1");

    assertThat(put.statusCode()).as(put.body()).isEqualTo(422);
    assertThat(Http.json(put).get("detail").asText()).isEqualTo(HandSink.REASON);
    assertThat(put.headers().firstValue("Cellmesh-Position")).isPresent();
  }

  @Test
  void a_deadline_is_told_as_accepted_and_the_cell_comes_all_the_same() {
    sink.pause(true);
    var path = new AtomicReference<String>();
    // Again where this machine is so busy that Kafka has not taken it by then.
    await()
        .atMost(SOON)
        .untilAsserted(
            () -> {
              path.set(cell(rowOf(one), 1));
              var put = http.put(path.get() + "?deadline=500", "1");
              assertThat(put.statusCode()).as(put.body()).isEqualTo(202);
              assertThat(Http.json(put).get("state").asText()).isEqualTo("accepted");
            });
    assertThat(http.get(path.get()).statusCode()).isEqualTo(404);

    sink.pause(false);
    await().atMost(SOON).until(() -> http.get(path.get()).statusCode() == 200);
  }

  @Test
  void what_was_written_is_read_from_any_server_that_has_its_position() {
    for (int i = 0; i < 200; i++) {
      var path = cell(rowOf(one), 1);
      var put = http.put(path, Integer.toString(i));
      var get = http.get(path + "?read=any&not-before=" + position(put));
      assertThat(get.statusCode()).as(get.body()).isEqualTo(200);
    }
    assertThat(
            Http.json(http.put(cell(rowOf(one), 1) + "?wait=replicated", "1"))
                .get("state")
                .asText())
        .isEqualTo("replicated");
  }

  @Test
  void a_minion_that_stands_still_says_how_stale_it_is_and_the_master_answers_for_it() {
    var row = rowOf(one);
    var path = cell(row, 1);
    http.put(path + "?wait=replicated", "1");
    // Of one that takes long the master is asked as well.
    var fresh =
        await()
            .atMost(SOON)
            .until(
                () -> http.get(path + "?read=minion"), read -> servedBy(read).contains("/minion/"));
    assertThat(stale(fresh)).isLessThan(15);

    minion(one).execute("STOP REPLICA");
    try {
      long begun = System.nanoTime();
      var later = http.put(cell(row, 2), "2");
      await()
          .atMost(SOON)
          .untilAsserted(
              () -> {
                var stale = http.get(path + "?read=minion");
                assertThat(servedBy(stale)).contains("/minion/");
                assertThat(stale(stale)).isGreaterThan(1);
                assertThat(stale(stale)).isLessThan(10 + (System.nanoTime() - begun) / 1e9);
              });
      var read = http.get(cell(row, 2) + "?read=minion&not-before=" + position(later));
      assertThat(read.statusCode()).isEqualTo(200);
      assertThat(servedBy(read)).contains("/master/");
      // The same again where this machine is so busy that it is not visible by then.
      await()
          .atMost(SOON)
          .untilAsserted(
              () -> {
                var waiting = http.put(cell(row, 3) + "?wait=replicated&deadline=300", "3");
                assertThat(waiting.statusCode()).isEqualTo(202);
                assertThat(Http.json(waiting).get("state").asText()).isEqualTo("visible");
              });
    } finally {
      minion(one).execute("START REPLICA");
    }
    var caughtUp = http.put(cell(row, 4) + "?wait=replicated&deadline=20000", "4");
    assertThat(caughtUp.statusCode()).as(caughtUp.body()).isEqualTo(200);
  }

  @Test
  void while_a_master_is_down_minions_answer_writes_are_buffered_and_others_go_on() {
    var path = cell(rowOf(one), 1);
    http.put(path + "?wait=replicated", "1");
    var before = Instant.now();
    sink.leaveOut(one.name(), true);
    master(one).kill();

    var put = http.put(cell(rowOf(one), 1) + "?deadline=20000", "2");
    assertThat(put.statusCode()).as(put.body()).isEqualTo(202);
    var told = Http.json(put);
    assertThat(told.get("state").asText()).isEqualTo("buffered");
    assertThat(told.get("down").get("master").asText()).isEqualTo(one.master().address());
    assertThat(Instant.parse(told.get("down").get("since").asText()))
        .isBetween(before, Instant.now());

    var get = http.get(path);
    assertThat(get.statusCode()).as(get.body()).isEqualTo(200);
    assertThat(servedBy(get)).contains("/minion/");
    assertThat(get.headers().firstValue("Cellmesh-Stale-Up-To")).isPresent();
    assertThat(http.put(cell(rowOf(two), 1), "1").statusCode()).isEqualTo(200);

    master(one).restart();
    master(one).openMaster();
    sink.leaveOut(one.name(), false);
    await()
        .atMost(SOON)
        .untilAsserted(
            () -> assertThat(http.put(cell(rowOf(one), 1), "3").statusCode()).isEqualTo(200));
  }

  @Test
  void of_two_clusters_a_cell_is_buffered_once_master_and_minion_of_the_other_have_its_copy() {
    sink.copy(true);
    sink.leaveOut(one.name(), true);
    master(one).kill();
    minion(two).execute("STOP REPLICA");
    try {
      await()
          .atMost(SOON)
          .untilAsserted(
              () -> {
                var single = http.put(cell(rowOf(one), 1) + "?deadline=3000", "1");
                assertThat(single.statusCode()).as(single.body()).isEqualTo(202);
                assertThat(Http.json(single).get("state").asText()).isEqualTo("accepted");
                assertThat(Http.json(single).at("/down/master").asText())
                    .isEqualTo(one.master().address());
              });

      var waiting = http.putLater(cell(rowOf(one), 1) + "?deadline=20000", "2");
      minion(two).execute("START REPLICA");
      var put = waiting.join();
      assertThat(put.statusCode()).as(put.body()).isEqualTo(202);
      assertThat(Http.json(put).get("state").asText()).isEqualTo("buffered");
      assertThat(Http.json(put).get("down").get("cluster").asText()).isEqualTo(one.name());
    } finally {
      minion(two).execute("START REPLICA");
      master(one).restart();
      master(one).openMaster();
    }
    sink.leaveOut(one.name(), false);
    await()
        .atMost(SOON)
        .untilAsserted(
            () -> assertThat(http.put(cell(rowOf(one), 1), "3").statusCode()).isEqualTo(200));
  }

  @Test
  void a_master_that_hangs_costs_its_own_cluster_a_second_and_others_nothing() throws Exception {
    var path = cell(rowOf(one), 1);
    http.put(path + "?wait=replicated", "1");
    http.get(path + "?read=minion");
    sink.leaveOut(one.name(), true);
    master(one).pause();
    try {
      var reads = new ArrayList<CompletableFuture<HttpResponse<String>>>();
      for (int i = 0; i < 40; i++) {
        reads.add(CompletableFuture.supplyAsync(() -> http.get(path)));
      }
      int inTime = 0;
      for (int i = 0; i < 20; i++) {
        long begun = System.nanoTime();
        assertThat(http.put(cell(rowOf(two), 1), "1").statusCode()).isEqualTo(200);
        inTime += System.nanoTime() - begun < Duration.ofSeconds(1).toNanos() ? 1 : 0;
      }
      // A machine that is busy otherwise is late for some, and one that hangs would be for all.
      assertThat(inTime).isGreaterThanOrEqualTo(15);
      for (var read : reads) {
        var answer = read.get(30, TimeUnit.SECONDS);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(servedBy(answer)).contains("/minion/");
      }
    } finally {
      master(one).resume();
    }
  }

  @Test
  void many_are_written_and_read_over_both_clusters() {
    var cells = new ArrayList<String>();
    var keys = new ArrayList<String>();
    for (int i = 0; i < 100; i++) {
      var row = UUID.randomUUID();
      cells.add(
          "{\"row_key\":\"%s\",\"column_name\":\"BASE\",\"ref_key\":1,\"body\":%d}"
              .formatted(row, i));
      keys.add("{\"row_key\":\"%s\",\"column_name\":\"BASE\"}".formatted(row));
    }
    var written = http.post("/v1/trips/cells:put", "{\"cells\":%s}".formatted(cells));
    assertThat(Http.json(written).get("results"))
        .allMatch(result -> result.get("status").asInt() == 200);

    var read = http.post("/v1/trips/cells:get", "{\"keys\":%s}".formatted(keys));
    for (int i = 0; i < 100; i++) {
      var result = Http.json(read).get("results").get(i);
      assertThat(result.get("cells").get(0).get("body").asInt()).isEqualTo(i);
    }
  }

  @Test
  void a_row_and_the_latest_up_to_a_ref_key_are_read() {
    var row = rowOf(one);
    for (int ref : new int[] {-5, 3, 900}) {
      http.put(cell(row, ref), Integer.toString(ref));
    }
    http.put(path(row) + "/" + "Sta%20tus%C3%A9" + "/1", "null");

    assertThat(Http.json(http.get(path(row) + "/BASE")).get("body").asInt()).isEqualTo(900);
    var below = http.get(path(row) + "/BASE?at-most=899");
    assertThat(Http.json(below).get("body").asInt()).isEqualTo(3);
    assertThat(http.get(path(row) + "/BASE?at-most=-6").statusCode()).isEqualTo(404);
    assertThat(Http.json(http.get(path(row))).get("cells"))
        .extracting(cell -> cell.get("column_name").asText() + cell.get("ref_key").asInt())
        .containsExactly("BASE-5", "BASE3", "BASE900", "Sta tusé1");
  }

  @Test
  void an_index_is_read_page_by_page_with_the_cells_of_its_rows_whichever_server_is_down()
      throws Exception {
    var index = index();
    var city = UUID.randomUUID();
    var rows = new ArrayList<UUID>();
    for (int i = 0; i < 5; i++) {
      var row = rowOf(i % 2 == 0 ? one : two);
      http.put(cell(row, 1) + "?wait=replicated&deadline=20000", "{\"n\":%d}".formatted(i));
      enter(index, row, city, i);
      rows.add(row);
    }
    var path =
        "/v1/trips/indexes/trips_of_city?shard_field=%s&filter=n:ge:1&order=n:desc&limit=3&columns=BASE"
            .formatted(city);

    var first = http.get(path);
    assertThat(first.statusCode()).as(first.body()).isEqualTo(200);
    assertThat(servedBy(first)).contains("/master/");
    assertThat(Http.json(first).get("entries"))
        .extracting(entry -> entry.get("cells").get(0).get("body").get("n").asInt())
        .containsExactly(4, 3, 2);
    var second = http.get(path + "&cursor=" + Http.json(first).get("next").asText());
    assertThat(Http.json(second).get("entries"))
        .extracting(entry -> entry.get("row_key").asText())
        .containsExactly(rows.get(1).toString());
    assertThat(Http.json(second).has("next")).isFalse();
    assertThat(http.get(path + "&cursor=xyz").statusCode()).isEqualTo(400);
    assertThat(http.get(path + "&filter=nothing:eq:1").statusCode()).isEqualTo(400);

    await()
        .atMost(SOON)
        .untilAsserted(
            () -> {
              var ofMinion = http.get(path + "&read=minion");
              assertThat(servedBy(ofMinion)).contains("/minion/");
              assertThat(Http.json(ofMinion).get("entries")).hasSize(3);
            });
    master(one).kill();
    try {
      var without = http.get(path + "&deadline=20000");
      assertThat(without.statusCode()).as(without.body()).isEqualTo(200);
      assertThat(Http.json(without).get("entries")).hasSize(3);
    } finally {
      master(one).restart();
      master(one).openMaster();
    }
  }

  @Test
  void several_values_of_the_shard_field_are_one_page_or_none_at_all() throws Exception {
    var index = index();
    var ofOne = cityOf(one);
    var ofTwo = cityOf(two);
    for (int i = 0; i < 10; i++) {
      enter(index, UUID.randomUUID(), i % 3 == 0 ? ofOne : ofTwo, i);
    }
    var path =
        "/v1/trips/indexes/trips_of_city?shard_field=%s&shard_field=%s&order=n:desc&limit=4"
            .formatted(ofTwo, ofOne);
    var numbers = new ArrayList<String>();
    var cursor = "";
    do {
      var page = http.get(path + cursor);
      assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
      assertThat(servedBy(page))
          .isEqualTo(
              "c1/master/%s, c2/master/%s"
                  .formatted(one.master().address(), two.master().address()));
      assertThat(page.headers().firstValue("Cellmesh-Stale-Up-To")).contains("unknown");
      Http.json(page).get("entries").forEach(e -> numbers.add(e.at("/fields/n").asText()));
      var next = Http.json(page).path("next").asText();
      cursor = next.isEmpty() ? "" : "&cursor=" + next;
    } while (!cursor.isEmpty());
    assertThat(numbers).containsExactly("9", "8", "7", "6", "5", "4", "3", "2", "1", "0");

    master(one).kill();
    minion(one).kill();
    try {
      var none = http.get(path);
      assertThat(none.statusCode()).as(none.body()).isEqualTo(503);
      assertThat(Http.json(none).get("detail").asText())
          .contains(ofOne.toString())
          .doesNotContain(ofTwo.toString());
      var other = http.get(path.replace("&shard_field=" + ofOne, "") + "&deadline=20000");
      assertThat(other.statusCode()).as(other.body()).isEqualTo(200);
    } finally {
      master(one).restart();
      master(one).openMaster();
      minion(one).restart();
    }
  }

  private static UUID cityOf(StorageCluster cluster) {
    while (true) {
      var city = UUID.randomUUID();
      if (topology.clusterOf(topology.shards().of(city.toString())).equals(cluster)) {
        return city;
      }
    }
  }

  private static IndexDefinition index() throws Exception {
    var definition =
        IndexDefinition.parse(
            """
            table: trips_of_city
            datastore: trips
            column_defs:
              - column_key: BASE
                fields:
                  - {field: city_uuid, type: UUID}
                  - {field: n, type: integer}
            """);
    new IndexSchema(topology, definition, pools).create(made -> {});
    var catalog = new IndexCatalog(topology, pools);
    if (catalog.read().isEmpty()) {
      catalog.put(List.of(new IndexVersion(definition, IndexVersion.State.SERVING, "first", 0)));
    }
    return definition;
  }

  private static void enter(IndexDefinition definition, UUID row, UUID city, int n)
      throws Exception {
    var entry = new IndexEntry(row, List.of(1L), List.of(city.toString(), "" + n), false);
    int shard = topology.shards().of(city.toString());
    pools.run(
        topology.clusterOf(shard).master(),
        connection ->
            new IndexTransaction()
                .add(new IndexTable("trips", definition), shard, List.of(entry))
                .execute(connection));
  }

  @Test
  void an_index_that_is_not_there_is_404() {
    var answer = http.get("/v1/trips/indexes/none?shard_field=x");

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(404);
  }

  private static UUID rowOf(StorageCluster cluster) {
    while (true) {
      var row = UUID.randomUUID();
      if (topology.clusterOf(topology.shards().of(row)).equals(cluster)) {
        return row;
      }
    }
  }

  private static String path(UUID row) {
    return "/v1/trips/cells/" + row;
  }

  private static String cell(UUID row, int ref) {
    return path(row) + "/BASE/" + ref;
  }

  private static String position(HttpResponse<String> put) {
    return put.headers().firstValue("Cellmesh-Position").orElseThrow();
  }

  private static String servedBy(HttpResponse<String> get) {
    return get.headers().firstValue("Cellmesh-Served-By").orElseThrow();
  }

  private static double stale(HttpResponse<String> get) {
    return Double.parseDouble(get.headers().firstValue("Cellmesh-Stale-Up-To").orElseThrow());
  }

  private static String count(UUID row) {
    int shard = topology.shards().of(row);
    return stack
        .serverAt(topology.clusterOf(shard).master().port())
        .orElseThrow()
        .query(
            "SELECT COUNT(*) FROM trips_%04d.entity WHERE row_key = UUID_TO_BIN('%s')"
                .formatted(shard, row));
  }

  private static MySqlServer master(StorageCluster cluster) {
    return stack.serverAt(cluster.master().port()).orElseThrow();
  }

  private static MySqlServer minion(StorageCluster cluster) {
    return stack.serverAt(cluster.minions().get(0).port()).orElseThrow();
  }
}
