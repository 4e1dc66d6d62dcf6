package io.cellmesh.bench;

import io.cellmesh.devstack.DevStack;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;

/**
 * A connector that turns the cluster's binlog into records.
 *
 * @param name as in the result
 * @param connectorName in Connect; under the same name it goes on where it was, whatever else is
 *     changed
 * @param log where its records go
 * @param rowKey finds the cell's row in a record's key
 */
record LogSource(
    String name,
    String connectorName,
    String code,
    LogServers servers,
    LogTopic log,
    Map<String, String> connector,
    Function<byte[], UUID> rowKey)
    implements Measured {

  /** The same connector, with another setting. */
  LogSource with(String newName, Map<String, String> settings) {
    var changed = new TreeMap<>(connector);
    changed.putAll(settings);
    return new LogSource(newName, connectorName, code, servers, log, changed, rowKey);
  }

  @Override
  public DevStack stack() {
    return servers.stack();
  }

  @Override
  public long visible() {
    return log.records();
  }
}
