package io.cellmesh.connect.source;

import com.github.shyiko.mysql.binlog.BinaryLogClient;
import io.debezium.connector.binlog.BinlogStreamingChangeEventSource;
import io.debezium.connector.mysql.MySqlConnectorTask;
import java.util.Optional;

/** Debezium's task as it is, with a view of the connection that it reads from. */
final class BinlogTask extends MySqlConnectorTask {

  /** Empty until it starts to read. */
  Optional<BinaryLogClient> client() {
    if (coordinator != null
        && coordinator.getStreamingSource().orElse(null)
            instanceof BinlogStreamingChangeEventSource<?, ?> source) {
      return Optional.of(source.getBinaryLogClient());
    }
    return Optional.empty();
  }
}
