package io.cellmesh.e2e.pair;

import static io.cellmesh.e2e.pair.TwoDataCentres.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cellmesh.cell.Names;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.e2e.fuzz.RandomEnvelopes;
import io.cellmesh.e2e.fuzz.RandomEnvelopes.Drawn;
import io.cellmesh.stack.chaos.Account;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Each of these records once ended a task or an index pass for good, or was lost in silence. What
 * the sink has committed goes from its topics. The last test leaves behind what is not right.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
abstract class PoisonRecords {
  private static final Duration SOON = Duration.ofSeconds(90);
  private static final String CELLS = "trips.cells";
  private static final String MESH = "trips.mesh";
  private static final int RANDOM = 2_000;

  /** Keys that both data centres write: so many with other bodies, and as many with equal ones. */
  private static final int AT_ONCE = 1_000;

  private static final String TWICE = "TWICE";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final TwoDataCentres stack;
  private final UUID healthy = UUID.randomUUID();
  private DataCenter home;

  PoisonRecords(TwoDataCentres stack) {
    this.stack = stack;
  }

  @BeforeAll
  void expireAtCommit() throws Exception {
    stack.expireAtCommit();
    home = stack.datacenter(0);
  }

  @Test
  @Order(1)
  void each_is_stored_or_rejected_and_told_once_and_everything_runs_on() throws Exception {
    var members = stack.sinkMembers(home);
    var before = stack.told(home).size();
    var awayBefore = stack.told(stack.datacenter(1)).size();
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
        .untilAsserted(() -> assertThat(stack.told(home)).hasSize(before + rejected.size()));
    var verify = stack.command("verify");
    assertThat(verify.exit()).as(verify.out() + verify.err()).isZero();
    var told = stack.told(home);
    boolean cameOnce = stack.sinkMembers(home).equals(members);
    rejected.forEach(
        (what, place) -> {
          var reasons = told.get(place.toString());
          assertThat(reasons).as(what).doesNotContain("").containsOnly(reasons.get(0));
          if (cameOnce) {
            assertThat(reasons).as(what).hasSize(1);
          }
        });
    stored.forEach(place -> assertThat(told).doesNotContainKey(place.toString()));
    assertThat(stack.told(stack.datacenter(1))).hasSize(awayBefore);
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

  /** The links are held up meanwhile, so that neither has heard of the other's. */
  @Test
  @Order(3)
  void keys_that_both_data_centres_write_at_once_stay_as_each_has_them_and_are_told_once()
      throws Exception {
    var earlier = verifiedMesh();
    var since = Instant.now();
    var rows = Stream.generate(UUID::randomUUID).limit(2 * AT_ONCE).toList();
    var before = new HashMap<String, Set<String>>();
    stack.holdLinks();
    try {
      for (var dc : stack.datacenters()) {
        before.put(dc.name(), stack.told(dc).keySet());
        stack.sendAll(dc, CELLS, twice(dc, rows));
      }
      for (var dc : stack.datacenters()) {
        await(dc.name()).atMost(SOON).until(() -> stack.cells(dc, TWICE) == rows.size());
      }
    } finally {
      stack.letLinksGo();
    }
    for (var dc : stack.datacenters()) {
      await("all conflicts of " + dc.name() + " told")
          .atMost(SOON)
          .until(() -> stack.told(dc).size() - before.get(dc.name()).size() >= AT_ONCE);
    }

    verifiedMesh()
        .forEach(
            (link, counts) -> {
              var meanwhile = counts.minus(earlier.get(link));
              assertThat(meanwhile.inConflict()).as(link).isEqualTo(AT_ONCE);
              assertThat(meanwhile.withEqualBodies()).as(link).isEqualTo(AT_ONCE);
            });
    var all = conflicts("--since", since.toString(), "--kind", "mesh", "--limit", "10000");
    assertThat(all).hasSize(2 * AT_ONCE);
    for (var dc : stack.datacenters()) {
      var ledger =
          all.stream().filter(c -> c.required("datacenter").asText().equals(dc.name())).toList();
      requireTold(dc, ledger, rows.subList(0, AT_ONCE), before.get(dc.name()));
    }
    assertThat(identities(pages("--since", since.toString(), "--limit", "700")))
        .isEqualTo(identities(all));
    requireShown(all.get(0));
    stack.requireClean();
    stack.requireRunning();
  }

  /** Of the cells of one origin in another data centre, as verify counts them. */
  private record Twice(long inConflict, long withEqualBodies) {
    Twice minus(Twice earlier) {
      return new Twice(inConflict - earlier.inConflict, withEqualBodies - earlier.withEqualBodies);
    }
  }

  /** By the names of both data centres; verify must pass. */
  private Map<String, Twice> verifiedMesh() throws Exception {
    var verify = stack.command("verify", "--json");
    assertThat(verify.exit()).as(verify.out() + verify.err()).isZero();
    var links = new HashMap<String, Twice>();
    for (var result : JSON.readTree(verify.out()).required("checks")) {
      if (result.required("check").asText().equals("MESH")) {
        var counts = result.required("counts");
        links.put(
            result.required("datacenter").asText(),
            new Twice(
                counts.required("in conflict, in the ledger with both digests").asLong(),
                counts.required("accepted by several with equal bodies").asLong()));
      }
    }
    assertThat(links).hasSize(2);
    return links;
  }

  /** The first half of the rows with another body in each data centre. */
  private static List<Drawn> twice(DataCenter dc, List<UUID> rows) {
    boolean first = dc.name().equals("dc1");
    var records = new ArrayList<Drawn>();
    for (int i = 0; i < rows.size(); i++) {
      var body =
          i < AT_ONCE
              ? "{\"of\":\"%s\"}".formatted(dc.name())
              : (first ? "{\"a\":1,\"b\":2}" : "{\"b\":2.0,\"a\":1}");
      var value = cell(rows.get(i), 1, body).replace("BASE", TWICE);
      records.add(new Drawn(bytes(rows.get(i).toString()), bytes(value), bytes(value), true));
    }
    return records;
  }

  /**
   * Each of the keys has one entry, of the other data centre's cell, and one word was said of it.
   */
  private void requireTold(
      DataCenter dc, List<JsonNode> ledger, List<UUID> keys, Set<String> before) {
    assertThat(ledger)
        .extracting(c -> UUID.fromString(c.required("row_key").asText()))
        .containsExactlyInAnyOrderElementsOf(keys);
    var told = new HashMap<>(stack.told(dc));
    told.keySet().removeAll(before);
    assertThat(told).hasSameSizeAs(keys);
    for (var conflict : ledger) {
      assertThat(conflict.required("topic").asText()).isEqualTo("mesh");
      assertThat(conflict.required("kept_origin").asText()).isEqualTo(dc.name());
      assertThat(conflict.required("refused_origin").asText()).isNotEqualTo(dc.name());
      assertThat(conflict.required("told_at").isNull()).isFalse();
      var place =
          "trips.mesh-%d@%d"
              .formatted(
                  conflict.required("partition").asInt(), conflict.required("offset").asLong());
      assertThat(told.get(place))
          .as(place)
          .singleElement()
          .asString()
          .contains(
              conflict.required("kept_digest").asText(),
              conflict.required("refused_digest").asText());
    }
  }

  private void requireShown(JsonNode conflict) throws Exception {
    var identity = conflict.required("identity").asText();
    var shown = stack.command("conflicts", "show", identity, "--json");
    assertThat(shown.exit()).as(shown.err()).isZero();
    assertThat(shown.out()).contains(conflict.required("refused_digest").asText());
    assertThat(shown.out()).doesNotContain("\"of\"", "value");
    var whole =
        JSON.readTree(stack.command("conflicts", "show", identity, "--json", "--bodies").out());
    assertThat(whole.required("kept_body").required("of"))
        .isEqualTo(conflict.required("kept_origin"));
    // What the sink has committed is gone from its topic; it stands among the rejected.
    var record = whole.required("refused_record");
    assertThat(record.required("found").asText()).startsWith("trips.");
    assertThat(JSON.readTree(record.required("value").asText()).required("body").required("of"))
        .isEqualTo(conflict.required("refused_origin"));
    assertThat(stack.command("conflicts", "show", "dc1:AAAAAAAA:0:1").exit()).isEqualTo(1);
  }

  private List<JsonNode> conflicts(String... options) throws Exception {
    var conflicts = new ArrayList<JsonNode>();
    ls(options).required("conflicts").forEach(conflicts::add);
    return conflicts;
  }

  /** All pages, one after the other. */
  private List<JsonNode> pages(String... options) throws Exception {
    var conflicts = new ArrayList<JsonNode>();
    var page = ls(options);
    page.required("conflicts").forEach(conflicts::add);
    while (page.has("next")) {
      var more = new ArrayList<>(List.of(options));
      more.addAll(List.of("--after", page.required("next").asText()));
      page = ls(more.toArray(String[]::new));
      page.required("conflicts").forEach(conflicts::add);
    }
    return conflicts;
  }

  private JsonNode ls(String... options) throws Exception {
    var words = new ArrayList<>(List.of("conflicts", "ls", "--json"));
    words.addAll(List.of(options));
    var run = stack.command(words.toArray(String[]::new));
    assertThat(run.exit()).as(run.err()).isZero();
    return JSON.readTree(run.out());
  }

  private static List<String> identities(List<JsonNode> conflicts) {
    return conflicts.stream().map(c -> c.required("identity").asText()).toList();
  }

  /** The count that chaos relies on sees what is wrong. */
  @Test
  @Order(4)
  void what_is_told_falsely_and_what_is_gone_is_counted() throws Exception {
    var again = UUID.randomUUID();
    var value = cell(again, 1, "1");
    var place = send(CELLS, again, value);
    var other = send(CELLS, again, cell(again, 2, "2"));
    var verify = stack.command("verify");
    assertThat(verify.exit()).as(verify.out() + verify.err()).isZero();
    long toldAgain = stack.check().run().get(0).toldAgain();
    reject(place, again, value);
    reject(place, again, value);
    reject(other, again, "not what is there");
    var away = stack.datacenter(1);
    delete(away, healthy);

    var accounts = stack.check().run();
    assertThat(accounts.get(0).phantom()).isEqualTo(2);
    assertThat(accounts.get(0).toldAgain()).isEqualTo(toldAgain + 1);
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
    try (var connection = TwoDataCentres.connect(topology.clusterOf(shard).master());
        var statement = connection.createStatement()) {
      int deleted =
          statement.executeUpdate(
              "DELETE FROM %s.entity WHERE row_key = UUID_TO_BIN('%s')"
                  .formatted(Names.database(topology.instance(), shard), row));
      assertThat(deleted).isEqualTo(1);
    }
  }
}
