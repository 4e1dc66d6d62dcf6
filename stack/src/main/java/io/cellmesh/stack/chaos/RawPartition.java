package io.cellmesh.stack.chaos;

import io.cellmesh.deployment.DataCenter;
import io.cellmesh.topics.PartitionReader;
import io.cellmesh.topics.TopicOffsets;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.KafkaConsumer;

/** What one data centre holds of one partition: the rows of its shards, and its log. */
final class RawPartition {
  private final Map<String, Row> rows = new HashMap<>();
  private final TreeMap<Integer, List<Row>> shards = new TreeMap<>();
  private final Map<String, Long> digests = new HashMap<>();
  private long repeated;
  private long reordered;
  private long strange;

  /** A row of an entity table. */
  record Row(int shard, String key, long addedId, String origin, long originId) {}

  private RawPartition() {}

  static RawPartition read(DataCenter dc, int partition, KafkaConsumer<byte[], byte[]> client)
      throws SQLException {
    var raw = new RawPartition();
    raw.readTables(dc, partition);
    raw.readLog(dc, partition, client);
    return raw;
  }

  /** The row of a cell, or null. */
  Row row(String key) {
    return rows.get(key);
  }

  /** The rows of each shard in added_id order. */
  TreeMap<Integer, List<Row>> shards() {
    return shards;
  }

  /** Whether the cell stands here with that body, which the log tells. */
  boolean has(RawCell cell) {
    return rows.containsKey(cell.key()) && digest(cell.key()) == cell.digest();
  }

  /** Of the body that the log has; 0 if the log lacks the cell. */
  long digest(String key) {
    return digests.getOrDefault(key, 0L);
  }

  /** Records that came again in the log. */
  long repeated() {
    return repeated;
  }

  /** Records of the log, each where it came first, that stand behind a later one of their shard. */
  long reordered() {
    return reordered;
  }

  /** Rows that the log lacks, and records of the log that are no row. */
  long logDifference() {
    return strange + rows.keySet().stream().filter(key -> !digests.containsKey(key)).count();
  }

  private void readTables(DataCenter dc, int partition) throws SQLException {
    var topology = dc.topology();
    int step = topology.shards().partitions();
    for (int shard = partition; shard < topology.shards().count(); shard += step) {
      var rowsOfShard = shards.computeIfAbsent(shard, s -> new ArrayList<>());
      var url =
          "jdbc:mysql://%s/?user=root&sslMode=DISABLED&allowPublicKeyRetrieval=true"
              .formatted(topology.clusterOf(shard).master().address());
      var sql =
          "SELECT BIN_TO_UUID(row_key), column_name, ref_key, added_id, origin, origin_id FROM %s_%04d.entity ORDER BY added_id"
              .formatted(topology.instance(), shard);
      try (var connection = DriverManager.getConnection(url);
          var statement = connection.createStatement();
          var found = statement.executeQuery(sql)) {
        while (found.next()) {
          var key =
              RawCell.key(
                  found.getString(1).toLowerCase(Locale.ROOT),
                  found.getString(2),
                  found.getLong(3));
          var row = new Row(shard, key, found.getLong(4), found.getString(5), found.getLong(6));
          rows.put(key, row);
          rowsOfShard.add(row);
        }
      }
    }
  }

  private void readLog(DataCenter dc, int partition, KafkaConsumer<byte[], byte[]> client) {
    var log = TopicOffsets.of(client, dc.topology().instance() + ".log");
    var last = new HashMap<Integer, Long>();
    new PartitionReader(client)
        .read(
            log.partition(partition),
            log.begin(partition),
            log.end(partition),
            record ->
                RawCell.parse(record.value())
                    .ifPresentOrElse(c -> logged(c, last), () -> strange++));
  }

  private void logged(RawCell cell, Map<Integer, Long> last) {
    var row = rows.get(cell.key());
    if (row == null || row.addedId() != cell.addedId()) {
      strange++;
    } else if (digests.putIfAbsent(cell.key(), cell.digest()) != null) {
      repeated++;
    } else if (last.merge(row.shard(), row.addedId(), Math::max) != row.addedId()) {
      reordered++;
    }
  }
}
