package io.cellmesh.e2e.pair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cellmesh.e2e.Command;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** The main job of the whole system, in two data centres. */
@TestInstance(Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
abstract class MainPath {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final UUID OWN = UUID.fromString("3f6b7a52-0f0e-4c7e-9f43-5a0b5d2f7a10");

  @TempDir private static Path files;

  private final TwoDataCentres stack;

  /** Of dc1, which dc2 has agreed to before anything is loaded here. */
  private long agreedBefore;

  MainPath(TwoDataCentres stack) {
    this.stack = stack;
  }

  @BeforeAll
  void countWhatAgrees() throws Exception {
    agreedBefore = link("dc1", "dc2").map(link -> link.get("agreed_cells").asLong()).orElse(0L);
  }

  @Test
  @Order(1)
  @Tag("quick")
  void made_up_trips_reach_both_data_centres_and_verify_proves_it() {
    assertThat(on("load", "--trips", "300").exit()).isZero();
    var verify = on("verify");
    assertThat(verify.exit()).as(verify.out() + verify.err()).isZero();
    assertThat(verify.out()).contains("verified in");
  }

  @Test
  @Order(2)
  @Tag("quick")
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
  @Tag("quick")
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
  @Tag("quick")
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
  @Tag("quick")
  void data_centres_prove_that_they_agree_up_to_the_last_cell() throws Exception {
    await().atMost(SOON).until(() -> on("mesh", "status").exit() == 0);
    await().atMost(SOON).until(() -> agreed("agreed_cells") && agreed("held_cells"));
    await().atMost(SOON).untilAsserted(() -> on("mesh", "status", "--tables").succeeded());
    var diff = on("mesh", "diff", "--origin", "dc1", "--dc", "dc2", "--shard", "7");
    assertThat(diff.exit()).as(diff.out() + diff.err()).isZero();
    assertThat(diff.out()).contains("no cell differs");
  }

  /** Whether all 350 cells that were loaded are known to agree. */
  private boolean agreed(String what) throws Exception {
    return link("dc1", "dc2")
        .filter(link -> link.get(what).asLong() >= agreedBefore + 350)
        .filter(link -> link.get("waiting_cells").asLong() == 0)
        .isPresent();
  }

  private Optional<JsonNode> link(String origin, String in) throws Exception {
    var links = new ObjectMapper().readTree(on("mesh", "status", "--json").out()).get("links");
    for (var link : links) {
      if (link.get("origin").asText().equals(origin)
          && link.get("datacenter").asText().equals(in)) {
        return Optional.of(link);
      }
    }
    return Optional.empty();
  }

  @Test
  @Order(6)
  void an_instance_is_created_once_on_servers_of_ones_own_and_keeps_its_shard_count()
      throws Exception {
    var file = files.resolve("topology.yaml");
    var yaml =
        Files.readString(stack.servers().topologyFile("dc1"))
            .replace("instance: trips", "instance: other");
    Files.writeString(file, yaml);
    var create = Command.run("instance", "create", "--topology", file.toString());
    assertThat(create.exit()).as(create.err()).isZero();
    assertThat(Command.run("instance", "create", "--topology", file.toString()).exit()).isZero();
    Files.writeString(file, yaml.replace("shards: 8", "shards: 12").replace("4-7", "4-11"));
    var changed = Command.run("instance", "create", "--topology", file.toString());
    assertThat(changed.exit()).isEqualTo(2);
    assertThat(changed.err()).contains("restore `shards: 8`");
  }

  @Test
  @Order(7)
  void what_waits_for_a_stopped_minion_is_told_cell_by_cell() throws Exception {
    var c1 = stack.servers().cluster("dc1", "c1");
    var minion = c1.minions().get(0);
    minion.execute("STOP REPLICA");
    var row = rowOf("c1");
    assertThat(on("put", row, "BASE", "1", "{\"secret\":1}").exit()).isZero();
    await().atMost(SOON).until(() -> on("get", row, "BASE").exit() == 0);
    await().atMost(SOON).until(() -> buffered("kept_cells") > 0);
    assertThat(on("status").out())
        .contains("kept until minion 127.0.0.1:" + minion.port() + " has them");
    assertThat(on("buffer", "show", "--primary", "c1").out())
        .contains(row + "/BASE/1", "applied, waits for minion 127.0.0.1:" + minion.port())
        .doesNotContain("secret");
    minion.execute("START REPLICA");
    assertThat(minion.catchesUpWith(c1.master(), SOON)).isTrue();
    var verify = on("verify");
    assertThat(verify.exit()).as(verify.out() + verify.err()).isZero();
  }

  /**
   * What of it no command has a part in, CopiesAndOutagesIT and WorkerPath see in every build; what
   * is told, PrimaryViewTest.
   */
  @Test
  @Order(8)
  @Tag("full")
  void what_waits_for_a_dead_master_is_told_cell_by_cell() throws Exception {
    var c1 = stack.servers().cluster("dc1", "c1");
    var row = rowOf("c1");
    c1.master().kill();
    assertThat(on("put", row, "BASE", "2", "{\"secret\":2}").exit()).isZero();
    await().atMost(SOON).until(() -> buffered("waiting_cells") > 0);
    var ls = on("buffer", "ls", "--primary", "c1");
    assertThat(ls.exit()).as("a master's buffer can't be read").isEqualTo(3);
    assertThat(ls.out())
        .contains("c1: 1 cell waits, the oldest for")
        .contains("c1: its master 127.0.0.1:" + c1.master().port() + " does not answer");
    assertThat(on("buffer", "show", "--primary", "c1", "--bodies").out())
        .contains(row + "/BASE/2", "waiting", "{\"secret\":2}");
    assertThat(on("status").exit()).isEqualTo(1);

    c1.master().start();
    c1.master().awaitReady();
    assertThat(on("status").out()).contains("read-only, so its cells wait");
    c1.master().openMaster();
    await().atMost(SOON).until(() -> buffered("waiting_cells") == 0);
    await().atMost(SOON).until(() -> on("status").exit() == 0);
    var verify = on("verify");
    assertThat(verify.exit()).as(verify.out() + verify.err()).isZero();
  }

  /** A number that buffer ls tells about c1 of dc1. */
  private long buffered(String field) throws Exception {
    var document =
        new ObjectMapper().readTree(on("buffer", "ls", "--primary", "c1", "--json").out());
    return document.required("primaries").get(0).required(field).asLong();
  }

  /** A row key whose shard the cluster owns, in either data centre. */
  private String rowOf(String cluster) {
    var topology = stack.servers().topology("dc1");
    return Stream.generate(UUID::randomUUID)
        .filter(row -> topology.clusterOf(topology.shards().of(row)).name().equals(cluster))
        .findFirst()
        .orElseThrow()
        .toString();
  }

  private Command on(String... args) {
    return stack.command(args);
  }
}
