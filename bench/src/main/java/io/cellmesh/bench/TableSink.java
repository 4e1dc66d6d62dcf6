package io.cellmesh.bench;

import io.cellmesh.bench.IndexBench.ShippedIndexConnector;
import io.cellmesh.cell.Names;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.devstack.DevStack;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The shipped index sink over one storage cluster. Rows are counted by the server, which counts
 * those of an open transaction, too, and loses a count now and then when two sessions insert at the
 * same moment; so where its count stands still, the tables are asked.
 */
final class TableSink implements Measured {
  private static final long STILL = TimeUnit.SECONDS.toNanos(2);

  private final LogServers servers;
  private final ShippedIndexConnector shipped;
  private final List<IndexDefinition> indexes;
  private final long before;
  private long last;
  private long lost;
  private long since = System.nanoTime();

  TableSink(LogServers servers, ShippedIndexConnector shipped, List<IndexDefinition> indexes) {
    this.servers = servers;
    this.shipped = shipped;
    this.indexes = List.copyOf(indexes);
    this.before = inserted();
  }

  @Override
  public String name() {
    return "index sink";
  }

  @Override
  public DevStack stack() {
    return servers.stack();
  }

  @Override
  public String code() {
    return "io.cellmesh.";
  }

  @Override
  public String connectorName() {
    return "bench-index-sink-" + indexes.get(0).label();
  }

  /** As shipped, but without TLS on loopback. */
  @Override
  public Map<String, String> connector() throws Exception {
    var config = new HashMap<>(shipped.render(servers.topology(), indexes));
    config.put("mysql.ssl.mode", "DISABLED");
    config.put("kafka.bootstrap.servers", servers.broker().bootstrap());
    return config;
  }

  @Override
  public long visible() throws SQLException {
    long now = inserted() - before;
    if (now != last) {
      last = now;
      since = System.nanoTime();
    }
    if (System.nanoTime() - since >= STILL) {
      lost = Math.max(lost, count() - now);
      since = System.nanoTime();
    }
    return now + lost;
  }

  /** Rows in the tables of all shards, of the index that has the fewest. */
  long count() throws SQLException {
    long fewest = Long.MAX_VALUE;
    for (var index : indexes) {
      fewest = Math.min(fewest, count(index));
    }
    return fewest;
  }

  private long count(IndexDefinition index) throws SQLException {
    long count = 0;
    try (var connection = servers.master().connect();
        var statement = connection.createStatement()) {
      for (int shard = 0; shard < servers.topology().shards().count(); shard++) {
        count +=
            OurSink.number(
                statement,
                "SELECT COUNT(*) FROM `%s`.`%s`"
                    .formatted(
                        Names.database(servers.topology().instance(), shard), index.tableName()));
      }
    }
    return count;
  }

  private long inserted() {
    return Long.parseLong(
        servers
            .master()
            .query(
                "SELECT variable_value FROM performance_schema.global_status WHERE variable_name = 'Innodb_rows_inserted'"));
  }
}
