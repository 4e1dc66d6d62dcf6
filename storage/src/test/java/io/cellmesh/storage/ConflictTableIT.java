package io.cellmesh.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.RecordPosition;
import io.cellmesh.cell.Topology;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import io.cellmesh.storage.ConflictListing.Filter;
import io.cellmesh.storage.Decision.Place;
import io.cellmesh.storage.RefusedRecord.Header;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The ledger on a real server. */
class ConflictTableIT {
  private static final UUID TOPIC = UUID.fromString("7f000000-0000-4000-8000-0000000000ff");
  private static final UUID OTHER_TOPIC = UUID.fromString("8f000000-0000-4000-8000-0000000000ff");
  private static final Position FAR = new Position(new Mark(1000, 0), new Mark(1000, 0));

  @TempDir static Path dir;

  private static DevStack stack;
  private static Topology topology;
  private static Pools pools;

  private final ConflictTable ledger = new ConflictTable(topology);
  private final ConflictListing listing = new ConflictListing(topology);
  private Connection connection;

  @BeforeAll
  static void start() throws SQLException {
    stack =
        DevStack.start(
            Options.defaults()
                .withStateDir(dir.resolve("stack"))
                .withDatacenters(1)
                .withClusters(1)
                .withMinions(0)
                .withInstance("trips", 2, 2)
                .withoutKafka(),
            Progress.silent());
    topology = stack.topology("dc1");
    pools = new Pools(new Credentials("root", ""));
    new InstanceSchema(topology, pools).create(topology.clusters().get(0), made -> {});
  }

  @AfterAll
  static void stop() {
    pools.close();
    stack.close();
  }

  @BeforeEach
  void open() throws SQLException {
    connection = pools.open(topology.clusters().get(0).master());
    try (var statement = connection.createStatement()) {
      statement.execute("DELETE FROM trips_meta.conflict");
    }
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  @Test
  void a_decision_comes_back_as_it_was_written() throws Exception {
    var headers = List.of(new Header("a", bytes("1")), new Header("é", null));
    var record = new RefusedRecord(bytes("key"), bytes("{\"x\": 1}"), headers, 1234);
    var decision = decision(0, IngestTopic.MESH, 7, Optional.of(record));
    write(decision, decision(0, IngestTopic.CELLS, 7, Optional.empty(), UUID.randomUUID()));

    var untold = ledger.untold(connection, Map.of(0, FAR), 10);

    assertThat(untold).hasSize(2);
    assertThat(untold.get(0).record()).isEmpty();
    assertThat(untold.get(1)).usingRecursiveComparison().isEqualTo(decision);
  }

  @Test
  void untold_decisions_come_in_offset_order_page_by_page_up_to_what_all_have() throws Exception {
    write(at(0, 3), at(0, 12), at(0, 1), at(1, 2));

    assertThat(offsets(Map.of(0, FAR), 2)).containsExactly(1L, 3L);
    assertThat(offsets(Map.of(0, FAR), 10)).containsExactly(1L, 3L, 12L);
    var reached = new Position(new Mark(12, 0), Mark.START);
    assertThat(offsets(Map.of(0, reached), 10)).containsExactly(1L, 3L);
    assertThat(offsets(Map.of(0, Position.START, 1, FAR), 10)).containsExactly(2L);
    assertThat(offsets(Map.of(), 10)).isEmpty();
  }

  @Test
  void a_page_of_large_records_ends_early_and_has_at_least_one() throws Exception {
    var large = new RefusedRecord(bytes("key"), new byte[5 << 20], List.of(), 1);
    var larger = new RefusedRecord(bytes("key"), new byte[9 << 20], List.of(), 1);
    write(decision(0, IngestTopic.CELLS, 1, Optional.of(larger)));
    write(decision(0, IngestTopic.CELLS, 2, Optional.of(large)));
    write(decision(0, IngestTopic.CELLS, 3, Optional.of(large)));

    assertThat(offsets(Map.of(0, FAR), 10)).containsExactly(1L);
    ledger.told(connection, List.of(at(0, 1).place()));
    assertThat(offsets(Map.of(0, FAR), 10)).containsExactly(2L);
  }

  @Test
  void what_is_told_once_is_not_told_again_keeps_its_digests_and_loses_its_bytes()
      throws Exception {
    var record = new RefusedRecord(bytes("key"), bytes("value"), List.of(), 1);
    var told = decision(0, IngestTopic.CELLS, 1, Optional.of(record));
    write(told, at(0, 2));

    assertThat(ledger.told(connection, List.of(told.place()))).isEqualTo(1);
    assertThat(ledger.told(connection, List.of(told.place()))).isZero();

    assertThat(offsets(Map.of(0, FAR), 10)).containsExactly(2L);
    assertThat(ledger.countUntold(connection)).isEqualTo(1);
    var newest = listing.newest(connection, 10);
    assertThat(newest).extracting(entry -> entry.offset()).containsExactlyInAnyOrder(1L, 2L);
    assertThat(newest).filteredOn(entry -> entry.toldAt().isPresent()).hasSize(1);
    assertThat(newest.get(0).kept()).isEqualTo("ab".repeat(32));
    assertThat(listing.newest(connection, 1)).as("of each kind").hasSize(2);
    assertThat(
            count(
                "record_value IS NULL AND record_key IS NULL AND told_at >= decided_at"
                    + " AND HEX(kept_digest) = '"
                    + "AB".repeat(32)
                    + "'"))
        .isEqualTo(1);
  }

  @Test
  void a_record_is_known_by_its_topics_id_so_a_topic_made_again_collides_with_nothing()
      throws Exception {
    var before = at(0, 5);
    var again = decision(0, IngestTopic.CELLS, 5, Optional.empty(), UUID.randomUUID());
    write(before);
    assertThat(ledger.decided(connection, List.of(before.place(), again.place())))
        .containsExactly(before.place());
    write(again);
    ledger.told(connection, List.of(before.place()));
    assertThat(ledger.decided(connection, List.of(before.place(), again.place()))).hasSize(2);
    assertThat(ledger.countUntold(connection)).isEqualTo(1);
  }

  @Test
  void the_ledger_is_listed_page_by_page_each_decision_once_whatever_the_pages_size()
      throws Exception {
    var all = new ArrayList<Decision>();
    for (int i = 0; i < 40; i++) {
      var topic = i % 3 == 0 ? IngestTopic.MESH : IngestTopic.CELLS;
      all.add(decision(i % 2, topic, i, Optional.empty(), i % 5 == 0 ? OTHER_TOPIC : TOPIC));
    }
    write(all.toArray(Decision[]::new));
    for (int from : new int[] {0, 7, 20}) {
      var some = all.subList(from, from + 7);
      ledger.told(connection, some.stream().map(Decision::place).toList());
    }

    for (int size : new int[] {1, 3, 40}) {
      var seen = new ArrayList<ConflictCursor>();
      var after = Optional.<ConflictCursor>empty();
      do {
        var page = listing.page(connection, Filter.ALL, after, size);
        page.forEach(entry -> seen.add(entry.cursor()));
        after = page.size() < size ? Optional.empty() : Optional.of(seen.get(seen.size() - 1));
      } while (after.isPresent());

      assertThat(seen).as("pages of %d", size).hasSize(40).doesNotHaveDuplicates().isSorted();
      assertThat(seen.subList(0, 19)).allMatch(cursor -> cursor.toldAt().isEmpty());
    }
  }

  @Test
  void what_is_listed_can_be_of_one_kind_and_decided_since_some_time() throws Exception {
    write(at(0, 1), own(2), own(3));
    ledger.told(connection, List.of(own(3).place()));
    execute("UPDATE trips_meta.conflict SET decided_at = '2026-01-31 12:00:00'");
    execute(
        "UPDATE trips_meta.conflict SET decided_at = '2026-01-31 11:59:59' WHERE record_offset ="
            + " 2");
    var noon = Optional.of(Instant.parse("2026-01-31T12:00:00Z"));

    assertThat(listed(Optional.of(ConflictKind.OWN), Optional.empty())).containsExactly(2L, 3L);
    assertThat(listed(Optional.of(ConflictKind.MESH), Optional.empty())).containsExactly(1L);
    assertThat(listed(Optional.of(ConflictKind.OWN), noon)).containsExactly(3L);
    assertThat(listed(Optional.empty(), noon)).containsExactly(1L, 3L);
  }

  @Test
  void a_page_costs_as_many_rows_as_it_has_however_long_the_ledger_is() throws Exception {
    var all = new ArrayList<Decision>();
    for (int i = 0; i < 200; i++) {
      all.add(at(0, i));
    }
    write(all.toArray(Decision[]::new));
    ledger.told(connection, all.subList(0, 100).stream().map(Decision::place).toList());
    for (var after :
        List.of(
            Optional.<ConflictCursor>empty(),
            Optional.of(
                listing.page(connection, Filter.ALL, Optional.empty(), 101).get(100).cursor()))) {
      execute("FLUSH STATUS");
      assertThat(listing.page(connection, Filter.ALL, after, 3)).hasSize(3);
      assertThat(status("Sort_rows")).as("rows sorted").isZero();
      assertThat(status("Handler_read%")).as("rows read").isLessThan(12);
    }
  }

  @Test
  void decisions_are_found_by_their_cells_by_their_record_and_by_a_range_of_offsets()
      throws Exception {
    var record = new RefusedRecord(bytes("key"), bytes("value"), List.of(), 1);
    var kept = decision(1, IngestTopic.MESH, 7, Optional.of(record));
    write(
        kept, at(1, 8), at(0, 9), decision(1, IngestTopic.MESH, 10, Optional.empty(), OTHER_TOPIC));

    assertThat(listing.of(connection, List.of(kept.key(), at(0, 99).key())))
        .containsOnlyKeys(kept.key());
    var found = listing.find(connection, RecordPosition.topicOf(TOPIC), 1, 7).orElseThrow();
    assertThat(found.entry().key()).isEqualTo(kept.key());
    assertThat(found.record()).usingRecursiveComparison().isEqualTo(Optional.of(record));
    assertThat(listing.find(connection, RecordPosition.topicOf(OTHER_TOPIC), 1, 7)).isEmpty();
    assertThat(listing.find(connection, RecordPosition.topicOf(UUID.randomUUID()), 1, 7)).isEmpty();
    assertThat(listing.ofRecords(connection, TOPIC, 1, 7, 11, 10))
        .extracting(ConflictListing.Entry::offset)
        .containsExactly(7L, 8L);
    assertThat(listing.ofRecords(connection, TOPIC, 1, 8, 11, 1)).hasSize(1);
    assertThat(listing.ofRecords(connection, TOPIC, 1, 0, 8, 10)).hasSize(1);
  }

  private List<Long> listed(Optional<ConflictKind> kind, Optional<Instant> since)
      throws SQLException {
    return listing.page(connection, new Filter(kind, since), Optional.empty(), 10).stream()
        .map(ConflictListing.Entry::offset)
        .sorted()
        .toList();
  }

  private long status(String variables) throws SQLException {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery("SHOW SESSION STATUS LIKE '" + variables + "'")) {
      long sum = 0;
      while (rows.next()) {
        sum += rows.getLong(2);
      }
      return sum;
    }
  }

  private void execute(String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private List<Long> offsets(Map<Integer, Position> reached, int limit) throws SQLException {
    return ledger.untold(connection, reached, limit).stream()
        .map(decision -> decision.place().offset())
        .toList();
  }

  private void write(Decision... decisions) throws SQLException {
    var script = new Script();
    ledger.insert(script, List.of(decisions));
    script.execute(connection);
  }

  private int count(String condition) throws SQLException {
    try (var statement = connection.createStatement();
        var rows =
            statement.executeQuery("SELECT COUNT(*) FROM trips_meta.conflict WHERE " + condition)) {
      rows.next();
      return rows.getInt(1);
    }
  }

  private static Decision at(int partition, long offset) {
    return decision(partition, IngestTopic.CELLS, offset, Optional.empty());
  }

  /** Both records are of dc1. */
  private static Decision own(long offset) {
    var of = at(0, offset);
    return new Decision(
        of.place(), of.topic(), of.key(), of.kept(), of.refused(), "dc1", "dc1", of.record());
  }

  private static Decision decision(
      int partition, IngestTopic topic, long offset, Optional<RefusedRecord> record) {
    return decision(partition, topic, offset, record, TOPIC);
  }

  private static Decision decision(
      int partition, IngestTopic topic, long offset, Optional<RefusedRecord> record, UUID id) {
    return new Decision(
        new Place(id, partition, offset),
        topic,
        new CellKey(UUID.fromString("00000000-0000-4000-8000-000000000001"), "BÄSE", -offset),
        "ab".repeat(32),
        "cd".repeat(32),
        "dc1",
        "dc2",
        record);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
