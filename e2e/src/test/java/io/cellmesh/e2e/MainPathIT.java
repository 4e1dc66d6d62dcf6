package io.cellmesh.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import io.cellmesh.cli.deployment.IndexFile;
import io.cellmesh.cli.stack.Stack;
import io.cellmesh.cli.stack.StackOptions;
import io.cellmesh.cli.terminal.Console;
import io.cellmesh.devstack.MySqlServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** The main job of the whole system, in two data centres. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class MainPathIT {
  private static final Path HOME = Path.of(System.getProperty("cellmesh.home"));
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final UUID OWN = UUID.fromString("3f6b7a52-0f0e-4c7e-9f43-5a0b5d2f7a10");

  @TempDir private static Path files;

  private static Stack stack;

  @BeforeAll
  static void start() throws Exception {
    var index = IndexFile.read(HOME.resolve("connectors/indexes/driver_partner_index.yaml"));
    stack = Stack.start(StackOptions.of(2, List.of(index)), Console.ofProcess().steps());
  }

  @AfterAll
  static void stopAndLeaveNothingBehind() {
    if (stack != null) {
      var children = stack.devStack().children();
      stack.close();
      assertThat(children).noneMatch(child -> child.isAlive());
    }
  }

  @Test
  @Order(1)
  void made_up_trips_reach_both_data_centres_and_verify_proves_it() {
    assertThat(on("load", "--trips", "300").exit()).isZero();
    var verify = on("verify");
    assertThat(verify.exit()).as(verify.out() + verify.err()).isZero();
    assertThat(verify.out()).contains("verified in");
  }

  @Test
  @Order(2)
  void a_csv_of_trips_becomes_cells_with_numbers_as_numbers() throws Exception {
    var csv = files.resolve("trips.csv");
    Files.writeString(
        csv,
        IntStream.range(0, 50)
            .mapToObj(i -> "2019-03-23 20:21:09,%d,%d.10,\"Lenox Hill, West\",\n".formatted(i, i))
            .reduce("pickup,passengers,fare,zone,note\n", String::concat));
    var load = on("load", "--input", csv.toString(), "--key", "passengers", "--json");
    assertThat(load.exit()).as(load.err()).isZero();
    assertThat(on("verify").exit()).isZero();
    var tail = on("tail", "--column", "BASE", "--from-beginning", "--json", "--dc", "dc2");
    assertThat(tail.out())
        .contains(
            "\"body\":{\"pickup\":\"2019-03-23 20:21:09\",\"passengers\":7,\"fare\":7.1,\"zone\":\"Lenox Hill, West\",\"note\":null},\"origin\":\"dc1\"");
  }

  @Test
  @Order(3)
  void a_cell_put_in_one_data_centre_is_read_back_in_the_other() throws Exception {
    var body = "{\"driver_partner_uuid\":\"%s\",\"fare\":12.950}".formatted(OWN);
    assertThat(on("put", OWN.toString(), "BASE", "1", body, "--dc", "dc2").exit()).isZero();
    await()
        .atMost(SOON)
        .until(() -> on("get", OWN.toString(), "BASE", "--dc", "dc1", "--json").exit() == 0);
    var read =
        new ObjectMapper()
            .readTree(on("get", OWN.toString(), "BASE", "--dc", "dc1", "--json").out());
    assertThat(read.get("body").get("fare").decimalValue()).isEqualByComparingTo("12.95");
    assertThat(read.get("origin").asText()).isEqualTo("dc2");
  }

  @Test
  @Order(4)
  void bad_input_is_rejected_with_its_reason_and_verify_accounts_for_it() {
    var conflict = on("put", OWN.toString(), "BASE", "1", "{\"fare\":1}", "--dc", "dc2", "--wait");
    assertThat(conflict.exit()).isEqualTo(1);
    assertThat(conflict.err()).contains("exists with another body");
    var verify = on("verify");
    assertThat(verify.exit()).as(verify.out()).isZero();
    assertThat(verify.out()).containsPattern("[1-9][0-9]* conflicts");
  }

  @Test
  @Order(5)
  void verify_names_an_entity_row_that_was_changed() throws Exception {
    var row = someRow("dc1");
    var table = table("dc1", row);
    var change =
        "UPDATE %s SET body = (SELECT b FROM (SELECT body b FROM %s WHERE added_id <> %d LIMIT 1) t) WHERE added_id = %d"
            .formatted(table, table, addedId("dc1", row), addedId("dc1", row));
    tampered("dc1", row, table, change, row.toString());
  }

  @Test
  @Order(6)
  void verify_names_an_entity_row_that_was_deleted() throws Exception {
    var row = someRow("dc1");
    var table = table("dc1", row);
    tampered(
        "dc1",
        row,
        table,
        "DELETE FROM %s WHERE added_id = %d".formatted(table, addedId("dc1", row)),
        row.toString());
  }

  @Test
  @Order(7)
  void verify_names_entity_rows_that_were_swapped() throws Exception {
    var row = someRow("dc1");
    var table = table("dc1", row);
    long id = addedId("dc1", row);
    tampered(
        "dc1",
        row,
        table,
        "UPDATE %s SET added_id = CASE added_id WHEN %d THEN 1000001 ELSE added_id END"
            .formatted(table, id),
        row.toString());
  }

  @Test
  @Order(8)
  void verify_names_a_row_of_the_other_data_centre_that_was_changed() throws Exception {
    var row = someRow("dc2");
    var table = table("dc2", row);
    tampered(
        "dc2",
        row,
        table,
        "UPDATE %s SET origin_id = origin_id + 1000 WHERE added_id = %d"
            .formatted(table, addedId("dc2", row)),
        row.toString());
  }

  @Test
  @Order(9)
  void verify_names_an_index_entry_that_was_changed() throws Exception {
    var topology = stack.devStack().topology("dc1");
    for (int shard = 0; shard < topology.shards().count(); shard++) {
      var table = Names.database("trips", shard) + ".idx_driver_partner_index_v1";
      var master = master("dc1", topology, shard);
      var row =
          master.query(
              "SELECT COALESCE((SELECT BIN_TO_UUID(row_key) FROM %s LIMIT 1), '')"
                  .formatted(table));
      if (!row.isEmpty()) {
        tampered(
            master,
            table,
            "UPDATE %s SET trip_created_at = '2001-01-01' WHERE row_key = UUID_TO_BIN('%s')"
                .formatted(table, row),
            row);
        return;
      }
    }
    throw new AssertionError("the index is empty");
  }

  private static Command on(String... args) {
    return Command.on(stack.devStack().stateDir(), args);
  }

  private static void tampered(String dc, UUID row, String table, String change, String named)
      throws Exception {
    var topology = stack.devStack().topology(dc);
    tampered(master(dc, topology, topology.shards().of(row)), table, change, named);
  }

  /** Changes a table behind the system's back, sees verify fail, and puts the table back. */
  private static void tampered(MySqlServer master, String table, String change, String named)
      throws Exception {
    master.execute(
        "SET SESSION sql_log_bin = 0",
        "CREATE TABLE %s_kept LIKE %s".formatted(table, table),
        "INSERT INTO %s_kept SELECT * FROM %s".formatted(table, table),
        change);
    try {
      var verify = on("verify");
      assertThat(verify.exit()).as(verify.out()).isEqualTo(1);
      assertThat(verify.out()).contains("not verified").contains(named);
    } finally {
      master.execute(
          "SET SESSION sql_log_bin = 0",
          "DELETE FROM " + table,
          "INSERT INTO %s SELECT * FROM %s_kept".formatted(table, table),
          "DROP TABLE %s_kept".formatted(table));
    }
    var again = on("verify");
    assertThat(again.exit()).as(again.out()).isZero();
  }

  /** A row with a cell that dc1's producers wrote. */
  private static UUID someRow(String dc) {
    var topology = stack.devStack().topology(dc);
    for (int shard = 0; shard < topology.shards().count(); shard++) {
      var table = Names.database("trips", shard) + ".entity";
      var row =
          master(dc, topology, shard)
              .query(
                  "SELECT COALESCE((SELECT BIN_TO_UUID(row_key) FROM %s WHERE origin = 'dc1' AND (SELECT COUNT(*) FROM %s) > 3 ORDER BY added_id LIMIT 1), '')"
                      .formatted(table, table));
      if (!row.isEmpty()) {
        return UUID.fromString(row);
      }
    }
    throw new AssertionError("no cell of dc1 in " + dc);
  }

  private static String table(String dc, UUID row) {
    return Names.database("trips", stack.devStack().topology(dc).shards().of(row)) + ".entity";
  }

  private static long addedId(String dc, UUID row) {
    var topology = stack.devStack().topology(dc);
    return Long.parseLong(
        master(dc, topology, topology.shards().of(row))
            .query(
                "SELECT MIN(added_id) FROM %s WHERE row_key = UUID_TO_BIN('%s')"
                    .formatted(table(dc, row), row)));
  }

  private static MySqlServer master(String dc, Topology topology, int shard) {
    return stack.devStack().cluster(dc, topology.clusterOf(shard).name()).master();
  }
}
