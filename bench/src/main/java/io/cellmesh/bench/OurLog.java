package io.cellmesh.bench;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** The shipped source connector. */
final class OurLog {
  static final Map<String, String> FROM_MASTER = Map.of("read.from", "master");

  private OurLog() {}

  /**
   * As shipped, which is to read a minion. The one thing that is set: like the peer it speaks to
   * MySQL without TLS, on loopback.
   */
  static LogSource asShipped(LogServers servers, ShippedConnector shipped) throws Exception {
    var topology = servers.topology();
    var topic = topology.topics().log();
    servers.createTopic(topic, LogServers.PARTITIONS);
    var config = new HashMap<>(shipped.render(topology, servers.broker().bootstrap()));
    config.put("mysql.ssl.mode", "DISABLED");
    return new LogSource(
        "ours",
        "ours",
        "io.cellmesh.",
        servers,
        new LogTopic(servers.broker(), topic, LogServers.PARTITIONS),
        config,
        key -> UUID.fromString(new String(key, StandardCharsets.US_ASCII)));
  }
}
