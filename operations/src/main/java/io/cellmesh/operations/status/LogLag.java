package io.cellmesh.operations.status;

import io.cellmesh.cell.GtidSet;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.log.LogSources;
import io.cellmesh.operations.log.SourceStatus;
import io.cellmesh.storage.Pools;
import io.cellmesh.topics.LogOffsets;
import java.sql.SQLException;
import java.util.Map;

/**
 * How far a data centre's log is behind its tables. Rows are compared with records as long as each
 * stands for one of the other. Once records were repeated or have expired, the transactions are
 * counted that a source's stored offset lacks: as old as Connect's last flush, and without cells
 * moved on only by the next heartbeat.
 */
final class LogLag {
  private final DataCenter datacenter;
  private final Pools pools;
  private final LogSources sources;

  LogLag(DataCenter datacenter, Pools pools) {
    this.datacenter = datacenter;
    this.pools = pools;
    this.sources = new LogSources(datacenter);
  }

  /**
   * @param rows of each shard, counted before the log's ends were looked at
   */
  PipelineHop of(LogOffsets log, Map<Integer, Long> rows) throws SQLException {
    var name = "entity to " + datacenter.topology().topics().log();
    long total = rows.values().stream().mapToLong(Long::longValue).sum();
    if (log.whole() && log.retained() <= total) {
      return new PipelineHop(datacenter.name(), name, total - log.retained());
    }
    long behind = 0;
    for (var source : sources.all()) {
      if (source.connector().shape() == log.shape()) {
        behind += behind(source, rows);
      }
    }
    return new PipelineHop(datacenter.name(), name + ", in transactions", behind);
  }

  private long behind(SourceStatus source, Map<Integer, Long> rows) throws SQLException {
    var offset = source.offset();
    var rebuild = offset.flatMap(o -> o.rebuild());
    if (rebuild.isPresent()) {
      return 1 + rebuild.get().stream().mapToLong(shard -> rows.getOrDefault(shard, 0L)).sum();
    }
    try (var connection = pools.open(source.connector().cluster().master());
        var query =
            connection.prepareStatement("SELECT GTID_SUBTRACT(@@GLOBAL.gtid_executed, ?)")) {
      query.setString(1, offset.flatMap(o -> o.gtids()).orElse(""));
      try (var result = query.executeQuery()) {
        result.next();
        return GtidSet.parse(result.getString(1)).count();
      }
    }
  }
}
