package io.cellmesh.e2e.poison;

import static io.cellmesh.e2e.poison.TwoDataCentres.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.Names;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.e2e.UnderTarget;
import io.cellmesh.e2e.fuzz.RandomEnvelopes;
import io.cellmesh.stack.chaos.Account;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Each of these records once ended a task or an index pass for good, or was lost in silence. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PoisonRecordsIT {
  private static final Duration SOON = Duration.ofSeconds(90);
  private static final String CELLS = "trips.cells";
  private static final String MESH = "trips.mesh";
  private static final int RANDOM = 2_000;

  @TempDir(factory = UnderTarget.class, cleanup = CleanupMode.ON_SUCCESS)
  private static Path state;

  private TwoDataCentres stack;
  private DataCenter home;
  private final UUID healthy = UUID.randomUUID();

  @BeforeAll
  void start() throws Exception {
    stack = TwoDataCentres.start(state);
    home = stack.datacenter(0);
  }

  @AfterAll
  void stop() {
    if (stack != null) {
      stack.close();
    }
  }

  @Test
  @Order(1)
  void each_is_stored_or_rejected_and_told_once_and_everything_runs_on() throws Exception {
    var rejected = new HashMap<String, RecordMetadata>();
    var number = UUID.randomUUID();
    rejected.put("number", send(CELLS, number, cell(number, 1, "{\"x\":100E2147483647}")));
    rejected.put("its like", send(CELLS, number, cell(number, 1, "{\"x\":101E2147483647}")));
    var foreign = UUID.randomUUID();
    rejected.put("origin_id", send(MESH, foreign, meshCell(foreign, -1)));
    var large = UUID.randomUUID();
    rejected.put("4.6 MB", send(CELLS, large, cell(large, 1, text(4_600_000))));
    rejected.put("8 MB", send(CELLS, large, cell(large, 2, text(8_000_000))));
    var date = UUID.randomUUID();
    var stored = new ArrayList<RecordMetadata>();
    stored.add(send(CELLS, date, cell(date, 1, trip("+999999999-12-31T23:59:59-18:00"))));
    stored.add(send(CELLS, healthy, cell(healthy, 1, trip("2026-01-31T12:00:00Z"))));

    await("all rejections told")
        .atMost(SOON)
        .untilAsserted(() -> assertThat(stack.told(home)).hasSize(rejected.size()));
    var verify = stack.command("verify");
    assertThat(verify.exit()).as(verify.out() + verify.err()).isZero();
    var told = stack.told(home);
    rejected.forEach(
        (what, place) ->
            assertThat(told.get(place.toString()))
                .as(what)
                .singleElement()
                .asString()
                .isNotBlank());
    stored.forEach(place -> assertThat(told).doesNotContainKey(place.toString()));
    assertThat(stack.told(stack.datacenter(1))).isEmpty();
    var index = stack.command("index", "verify");
    assertThat(index.exit()).as(index.out() + index.err()).isZero();
    stack.requireClean();
    stack.requireRunning();
  }

  /** As {@code FuzzTest} sends ten times as many through the same code in memory. */
  @Test
  @Order(2)
  void random_records_are_each_stored_in_both_data_centres_or_told_once() throws Exception {
    long seed = Long.getLong("cellmesh.fuzz.seed", new Random().nextLong());
    var envelopes = new RandomEnvelopes(seed);
    int before = stack.told(home).size();
    stack.sendAll(home, CELLS, Stream.generate(envelopes::next).limit(RANDOM).toList());
    var verify = stack.command("verify");
    assertThat(verify.exit()).as("seed %d: %s", seed, verify.out() + verify.err()).isZero();
    assertThat(stack.told(home).size() - before)
        .as("told of %d, seed %d", RANDOM, seed)
        .isBetween(RANDOM / 100, RANDOM / 2);
    var index = stack.command("index", "verify");
    assertThat(index.exit()).as("seed %d: %s", seed, index.out() + index.err()).isZero();
    stack.requireClean();
    stack.requireRunning();
  }

  /** The count that chaos relies on sees what is wrong. */
  @Test
  @Order(3)
  void what_is_told_falsely_and_what_is_gone_is_counted() throws Exception {
    var again = UUID.randomUUID();
    var value = cell(again, 1, "1");
    var place = send(CELLS, again, value);
    var other = send(CELLS, again, cell(again, 2, "2"));
    var verify = stack.command("verify");
    assertThat(verify.exit()).as(verify.out() + verify.err()).isZero();
    reject(place, again, value);
    reject(place, again, value);
    reject(other, again, "not what is there");
    var away = stack.datacenter(1);
    delete(away, healthy);

    var accounts = stack.check().run();
    assertThat(accounts.get(0).phantom()).isEqualTo(2);
    assertThat(accounts.get(0).toldAgain()).isEqualTo(1);
    assertThat(accounts.get(0).toldOtherwise()).isEqualTo(1);
    assertThat(accounts.get(1).lost()).as("of the mesh, and of the log").isEqualTo(2);
    assertThat(accounts.get(1).disagreeing()).isEqualTo(1);
    assertThat(accounts).extracting(Account::reordered).containsOnly(0L);
  }

  private RecordMetadata send(String topic, UUID row, String value) throws Exception {
    return stack.send(home, topic, row, value);
  }

  private static String cell(UUID row, long ref, String body) {
    return "{\"row_key\":\"%s\",\"column_name\":\"BASE\",\"ref_key\":%d,\"body\":%s}"
        .formatted(row, ref, body);
  }

  private static String meshCell(UUID row, long originId) {
    return "{\"row_key\":\"%s\",\"column_name\":\"BASE\",\"ref_key\":1,\"body\":{},\"origin\":\"dc2\",\"origin_id\":%d}"
        .formatted(row, originId);
  }

  private static String trip(String created) {
    return "{\"driver_partner_uuid\":\"%s\",\"city_uuid\":\"%s\",\"trip_created_at\":\"%s\"}"
        .formatted(UUID.randomUUID(), UUID.randomUUID(), created);
  }

  /** Compresses well. */
  private static String text(int length) {
    return "\"" + "x".repeat(length) + "\"";
  }

  private void reject(RecordMetadata place, UUID row, String value) throws Exception {
    try (var producer =
        new KafkaProducer<>(
            Map.<String, Object>of("bootstrap.servers", home.kafka().bootstrap()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      var record = new ProducerRecord<>("trips.rejected", bytes(row.toString()), bytes(value));
      var headers =
          List.of(
              Map.entry("topic", place.topic()),
              Map.entry("partition", Integer.toString(place.partition())),
              Map.entry("offset", Long.toString(place.offset())),
              Map.entry("exception.message", "a test says so"));
      headers.forEach(
          header ->
              record
                  .headers()
                  .add("__connect.errors." + header.getKey(), bytes(header.getValue())));
      producer.send(record).get();
    }
  }

  private static void delete(DataCenter dc, UUID row) throws Exception {
    var topology = dc.topology();
    int shard = topology.shards().of(row);
    try (var connection =
            DriverManager.getConnection(
                "jdbc:mysql://%s/?user=root&sslMode=DISABLED&allowPublicKeyRetrieval=true"
                    .formatted(topology.clusterOf(shard).master().address()));
        var statement = connection.createStatement()) {
      int deleted =
          statement.executeUpdate(
              "DELETE FROM %s.entity WHERE row_key = UUID_TO_BIN('%s')"
                  .formatted(Names.database(topology.instance(), shard), row));
      assertThat(deleted).isEqualTo(1);
    }
  }
}
