package io.cellmesh.storage.index;

import static io.cellmesh.storage.index.TripsOfDriver.entries;
import static io.cellmesh.storage.index.TripsOfDriver.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Names;
import io.cellmesh.cell.UuidBytes;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Rows that an index finds come with the cells asked for. */
class IndexCellsIT {
  @RegisterExtension static final TestIndex index = new TestIndex(TripsOfDriver.DEFINITION);

  private final IndexReader reader = index.reader();

  @Test
  void rowsComeWithTheCellsAskedFor() throws Exception {
    var entries = IntStream.range(0, 100).mapToObj(i -> entry("ann", new Random(i))).toList();
    index.write(entries);
    for (var entry : entries.subList(1, 100)) {
      cell(entry.rowKey(), "BASE", 1, "{\"old\":true}");
      cell(entry.rowKey(), "BASE", 2, "{\"old\":false}");
      cell(entry.rowKey(), "STATUS", 7, "\"paid\"");
    }
    var bare = entries.get(0).rowKey();

    for (var hit : reader.query(IndexQuery.of("ann").withColumns(RowColumns.LATEST))) {
      assertThat(keys(hit))
          .isEqualTo(hit.rowKey().equals(bare) ? List.of() : List.of("BASE.2", "STATUS.7"));
    }
    for (var hit : reader.query(IndexQuery.of("ann").withColumns(RowColumns.ALL))) {
      assertThat(keys(hit))
          .isEqualTo(
              hit.rowKey().equals(bare) ? List.of() : List.of("BASE.1", "BASE.2", "STATUS.7"));
    }
    var named =
        IndexQuery.of("ann").withColumns(RowColumns.LATEST.named("BASE", "NOTES")).limit(40);
    long before = selects();
    var page = reader.page(named);
    long asked = selects() - before;
    assertThat(page.hits()).hasSize(40);
    assertThat(page.next()).isPresent();
    assertThat(page.hits())
        .filteredOn(hit -> !hit.rowKey().equals(bare))
        .allSatisfy(
            hit -> {
              assertThat(keys(hit)).containsExactly("BASE.2");
              assertThat(hit.cells().get(0).cell().body().toJson()).isEqualTo("{\"old\":false}");
            });
    assertThat(asked).as("one for the index and one a shard").isBetween(2L, 9L);
  }

  private static void cell(UUID rowKey, String column, long refKey, String body) throws Exception {
    int home = index.topology().shards().of(rowKey);
    var sql =
        "INSERT INTO %s.entity (row_key, column_name, ref_key, body, origin, origin_id, created_at) VALUES (?, ?, ?, ?, 'dc1', NULL, UTC_TIMESTAMP(6))"
            .formatted(Names.database("trips", home));
    try (var connection = index.pools().open(index.topology().clusterOf(home).master());
        var insert = connection.prepareStatement(sql)) {
      insert.setBytes(1, UuidBytes.of(rowKey));
      insert.setString(2, column);
      insert.setLong(3, refKey);
      insert.setBytes(4, Body.ofJson(body).stored());
      insert.executeUpdate();
    }
  }

  private static List<String> keys(IndexHit hit) {
    assertThat(hit.cells())
        .allMatch(cell -> cell.cell().key().rowKey().equals(hit.rowKey()))
        .allMatch(cell -> cell.shard() == index.topology().shards().of(hit.rowKey()));
    return hit.cells().stream()
        .map(LogRecord::cell)
        .map(cell -> cell.key().columnName() + "." + cell.key().refKey())
        .toList();
  }

  /** SELECT statements that the servers have answered. */
  private static long selects() throws SQLException {
    long answered = 0;
    for (var cluster : index.topology().clusters()) {
      try (var connection = index.pools().open(cluster.master());
          var query = connection.prepareStatement("SHOW GLOBAL STATUS LIKE 'Com_select'");
          var rows = query.executeQuery()) {
        rows.next();
        answered += rows.getLong(2);
      }
    }
    return answered;
  }
}
