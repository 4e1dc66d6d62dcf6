package io.cellmesh.e2e.pair;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.e2e.Command;
import io.cellmesh.storage.MySqlOptions;
import io.cellmesh.storage.Pools;
import java.io.IOException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/**
 * Two real data centres with trips, duplicates, conflicts and bad input in them, and nothing else,
 * tampered with. What was changed is put back.
 */
@TestInstance(Lifecycle.PER_CLASS)
abstract class Verifying {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The busiest of the drivers that trips are made up with. */
  private static final String DRIVER = "9f805c51-8ae2-5178-84a6-76dda9fb99b1";

  private static final String DRIVER_IS = "driver_partner_uuid=" + DRIVER;

  private final TwoDataCentres stack;
  private Pools pools;
  private int shard;
  private CellKey victim;

  Verifying(TwoDataCentres stack) {
    this.stack = stack;
  }

  @BeforeAll
  void loadTwoDataCentres() throws Exception {
    var deployment = stack.deployment();
    // A connection rests while verify runs, which takes longer than sessions usually may.
    var patient =
        new MySqlOptions(
            Duration.ofSeconds(5),
            Duration.ofMinutes(2),
            Duration.ofSeconds(30),
            Duration.ofMinutes(10),
            2);
    pools = new Pools(deployment.operator(), patient);
    var records = new Records(deployment.topics());
    records.load(datacenter(0), 1);
    records.load(datacenter(1), 2);
    records.garbage(datacenter(0));
    assertVerified();
    pickVictim();
  }

  @AfterAll
  void closePools() {
    if (pools != null) {
      pools.close();
    }
  }

  @Test
  void whatIsGoodPassesAndEveryKindIsCounted() throws Exception {
    var document = json(stack.command("verify", "--json"));

    assertThat(document.required("passed").asBoolean()).isTrue();
    assertThat(document.required("behind")).isEmpty();
    var home = counts(document, "CONSERVATION", "dc1");
    assertThat(home.required("rejected").asLong()).isEqualTo(1);
    // Both accept the cell, or the second one meets the first one's before its own two.
    long conflicts = home.required("conflicts").asLong();
    var away = counts(document, "CONSERVATION", "dc2");
    assertThat(conflicts + away.required("conflicts").asLong()).isEqualTo(2);
    assertThat(home.required("duplicates").asLong()).isEqualTo(1);
    var kept = "in conflict, in the ledger with both digests";
    assertThat(counts(document, "MESH", "dc2→dc1").required(kept).asLong()).isEqualTo(conflicts);
    assertThat(counts(document, "INDEX", "dc2").required("entries").asLong()).isEqualTo(80);
  }

  @Test
  void aDriversTripsAreFoundPageByPageAndComeWithTheirCells() throws Exception {
    var all = query("--order", "trip_created_at:desc");
    var first = query("--order", "trip_created_at:desc", "--limit", "4");
    var cursor = JSON.readTree(first.get(4)).required("next").asText();
    var rest = query("--order", "trip_created_at:desc", "--after", cursor, "--columns", "all");

    assertThat(all).as("of the forty trips of either data centre").hasSize(6);
    assertThat(first.subList(0, 4)).isEqualTo(all.subList(0, 4));
    assertThat(rest).hasSize(2);
    for (int i = 0; i < 2; i++) {
      var row = JSON.readTree(rest.get(i));
      assertThat(row.required("row_key")).isEqualTo(JSON.readTree(all.get(4 + i)).get("row_key"));
      assertThat(row.required("rowCells").findValuesAsText("column_name")).contains("BASE");
    }
    var plan = JSON.readTree(query("--order", "trip_created_at:desc", "--explain").get(0));
    assertThat(plan.required("shard").asInt())
        .isEqualTo(datacenter(0).topology().shards().of(DRIVER));
    assertThat(plan.required("plan").asText()).doesNotContain("Table scan");
  }

  @Test
  void aQueryThatFindsNothingEndsWithOneAndOneThatCantBeAskedWithTwo() throws Exception {
    var nobody = run("--where", "driver_partner_uuid=" + UUID.randomUUID());
    var next = JSON.readTree(query("--limit", "1").get(1)).required("next").asText();
    var other =
        run("--where", DRIVER_IS, "--where", "city_uuid!=" + UUID.randomUUID(), "--after", next);
    var misfit = run("--where", DRIVER_IS, "--where", "trip_created_at>yesterday");

    assertThat(nobody.exit()).isEqualTo(1);
    assertThat(other.exit()).isEqualTo(2);
    assertThat(other.err()).contains("is the cursor of another query");
    assertThat(misfit.exit()).isEqualTo(2);
    assertThat(misfit.err())
        .startsWith("error: trip_created_at: not a time such as ")
        .endsWith(": \"yesterday\"\n");
  }

  private List<String> query(String... options) {
    var args = new ArrayList<>(List.of("--where", DRIVER_IS));
    args.addAll(List.of(options));
    var run = run(args.toArray(String[]::new));
    assertThat(run.exit()).as(run.err()).isZero();
    return run.out().lines().toList();
  }

  private Command run(String... options) {
    var args = new ArrayList<>(List.of("query", "driver_partner_index", "--json"));
    args.addAll(List.of(options));
    return stack.command(args.toArray(String[]::new));
  }

  @Test
  void whatIsDownIsToldByStatusPartByPartUntilAllIsUpAgain() throws Exception {
    var minion = stack.servers().cluster("dc1", "c1").minions().get(0);
    var connect = stack.servers().worker("dc2").client();
    minion.execute("STOP REPLICA SQL_THREAD");
    connect.stop("trips-sink");
    connect.delete("trips-source-c2");
    var lost = connect.config("trips-source-c1");
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> connect.status("trips-sink").orElseThrow().tasks().isEmpty());

    var told = stack.command("status");
    var document = json(stack.command("status", "--json"));

    assertThat(told.exit()).isEqualTo(1);
    assertThat(told.out().lines())
        .anyMatch(
            l ->
                l.matches(
                    " *dc1 +c1 minion +%s +✗ +applies nothing"
                        .formatted(minion.server().address())))
        .anyMatch(l -> l.matches(" *dc2 +connector +trips-sink +✗ +stopped, no task"))
        .anyMatch(l -> l.matches(" *dc2 +connector +trips-source-c2 +✗ +is not there; .*"))
        .anyMatch(l -> l.matches(" *dc1 +index-streams +pass \\w+ +✓ +1 thread"))
        .anyMatch(l -> l.matches(" *dc2 +herb-replicator +from dc1 +✓ +1 thread"))
        .anyMatch(l -> l.matches("3 of \\d+ parts are down.*"));
    assertThat(document.required("up").asBoolean()).isFalse();
    assertThat(document.required("parts").findValuesAsText("up")).contains("true", "false");

    minion.execute("START REPLICA SQL_THREAD");
    connect.resume("trips-sink");
    lost.putAll(Map.of("name", "trips-source-c2", "cluster", "c2"));
    connect.put("trips-source-c2", lost);
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> stack.command("status").exit() == 0);
    assertThat(stack.command("status").out()).containsPattern("all \\d+ parts are up");
  }

  @Test
  void aDeletedEntityRowIsFound() throws Exception {
    tampered(
        datacenter(0),
        List.of(
            "CREATE TABLE %s.aside AS SELECT * FROM %s.entity WHERE added_id = 1",
            "DELETE FROM %s.entity WHERE added_id = 1"),
        List.of("INSERT INTO %s.entity SELECT * FROM %s.aside", "DROP TABLE %s.aside"),
        "not verified",
        victim + " (trips.cells-",
        "is neither an entity row nor rejected",
        victim + " is in the log and not in the entity table");
  }

  @Test
  void aChangedEntityRowIsFound() throws Exception {
    tampered(
        datacenter(0),
        List.of("CREATE TABLE %s.aside AS SELECT * FROM %s.entity WHERE added_id <= 2", bodyOf(2)),
        List.of(bodyOf(1), "DROP TABLE %s.aside"),
        victim.toString(),
        "the entity row has another body",
        "the log has another body");
  }

  @Test
  @Tag("full")
  void swappedEntityRowsAreFound() throws Exception {
    var swap =
        List.of(
            "UPDATE %s.entity SET added_id = added_id + 2000000 WHERE added_id <= 2",
            "UPDATE %s.entity SET added_id = 2000003 - added_id WHERE added_id > 2000000"
                + " ORDER BY added_id DESC");
    tampered(datacenter(0), swap, swap, "was produced into", "comes after", victim.toString());
  }

  @Test
  void aTamperedIndexRowIsFound() throws Exception {
    int tampered = indexShard();
    var table = Names.database("trips", tampered) + ".idx_driver_partner_index_v1";
    tampered(
        datacenter(0),
        List.of(
            "UPDATE " + table + " SET trip_created_at = trip_created_at + INTERVAL 1 DAY LIMIT 1"),
        List.of(
            "UPDATE " + table + " SET trip_created_at = trip_created_at - INTERVAL 1 DAY LIMIT 1"),
        "index in dc1 does not hold",
        "has another trip_created_at than the cells");
  }

  @Test
  void aTamperedRowOfTheOtherDataCentreIsFound() throws Exception {
    var which = " WHERE row_key = UUID_TO_BIN('" + victim.rowKey() + "')";
    tampered(
        datacenter(1),
        List.of("UPDATE %s.entity SET origin_id = origin_id + 100000" + which),
        List.of("UPDATE %s.entity SET origin_id = origin_id - 100000" + which),
        "mesh in dc1→dc2 does not hold",
        victim.toString());
  }

  @Test
  void aBodyThatIsChangedInATableIsNamedByItselfWithinAMinute() throws Exception {
    try (var tables = tampering()) {
      tables.awaitRight();
      tables.changeABody();
    }
  }

  @Test
  @Tag("full")
  void rowsThatAreDroppedOrSwappedInATableAreNamedByThemselvesWithinAMinute() throws Exception {
    try (var tables = tampering()) {
      tables.awaitRight();
      tables.dropTheLastRow();
      tables.swapTwo();
    }
  }

  private TamperedTables tampering() throws IOException {
    var state = stack.servers().stateDir().toString();
    return new TamperedTables(stack.deployment(), datacenter(0), pools, state);
  }

  private void assertVerified() {
    var run = stack.command("verify");
    assertThat(run.exit()).as(run.out() + run.err()).isZero();
  }

  private static String bodyOf(int addedId) {
    return "UPDATE %s.entity SET body = (SELECT body FROM %s.aside WHERE added_id = "
        + addedId
        + ") WHERE added_id = 1";
  }

  /**
   * Expects verify to fail, with the given texts, while a shard is tampered with on its master
   * alone, and to pass again afterwards.
   */
  private void tampered(DataCenter dc, List<String> change, List<String> undo, String... expected)
      throws Exception {
    try (var connection = pools.open(dc.topology().clusterOf(shard).master());
        var statement = connection.createStatement()) {
      statement.execute("SET SESSION sql_log_bin = 0");
      for (var sql : change) {
        execute(statement, sql);
      }
      var run = stack.command("verify");
      for (var sql : undo) {
        execute(statement, sql);
      }
      statement.execute("SET SESSION sql_log_bin = 1");
      assertThat(run.out()).contains(expected);
      assertThat(run.exit()).isEqualTo(1);
    }
    assertVerified();
  }

  private void execute(Statement statement, String sql) throws Exception {
    statement.execute(sql.replace("%s", Names.database("trips", shard)));
  }

  private void pickVictim() throws Exception {
    Topology topology = datacenter(0).topology();
    for (shard = 0; shard < topology.shards().count(); shard++) {
      try (var connection = pools.open(topology.clusterOf(shard).master());
          var statement = connection.createStatement();
          var rows =
              statement.executeQuery(
                  "SELECT BIN_TO_UUID(row_key), column_name, ref_key, origin FROM "
                      + Names.database("trips", shard)
                      + ".entity WHERE added_id <= 2 ORDER BY added_id")) {
        if (rows.next() && rows.getString(4).equals("dc1")) {
          victim =
              new CellKey(UUID.fromString(rows.getString(1)), rows.getString(2), rows.getLong(3));
          if (rows.next() && rows.getString(4).equals("dc1")) {
            return;
          }
        }
      }
    }
    throw new IllegalStateException("no shard begins with two cells of dc1");
  }

  /** A shard of the victim's cluster whose index table has rows. */
  private int indexShard() throws Exception {
    var cluster = datacenter(0).topology().clusterOf(shard);
    try (var connection = pools.open(cluster.master());
        var statement = connection.createStatement()) {
      for (int s : cluster.shards().stream().toArray()) {
        try (var rows =
            statement.executeQuery(
                "SELECT COUNT(*) FROM "
                    + Names.database("trips", s)
                    + ".idx_driver_partner_index_v1")) {
          if (rows.next() && rows.getLong(1) > 0) {
            return s;
          }
        }
      }
    }
    throw new IllegalStateException("no index rows on " + cluster.name());
  }

  private static JsonNode counts(JsonNode document, String check, String datacenter) {
    for (var result : document.required("checks")) {
      if (result.required("check").asText().equals(check)
          && result.required("datacenter").asText().equals(datacenter)) {
        return result.required("counts");
      }
    }
    throw new IllegalArgumentException(check + " of " + datacenter);
  }

  private static JsonNode json(Command run) throws Exception {
    return JSON.readTree(run.out());
  }

  private DataCenter datacenter(int number) throws IOException {
    return stack.datacenter(number);
  }
}
