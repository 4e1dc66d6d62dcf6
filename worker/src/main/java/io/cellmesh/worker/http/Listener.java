package io.cellmesh.worker.http;

import io.cellmesh.worker.security.Door;
import java.net.InetSocketAddress;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** The port: HTTP/1.1, over TLS where there is a certificate. */
final class Listener {
  /** For not-before with a position of each of a thousand partitions. */
  private static final int MOST_HEADER_BYTES = 64 << 10;

  private Listener() {}

  static Connector open(Server server, HttpConfiguration http, InetSocketAddress at, Door door) {
    http.setSendServerVersion(false);
    http.setRequestHeaderSize(MOST_HEADER_BYTES);
    // From its second call on, each connection would keep 100 kB for headers that may come again.
    http.setHeaderCacheSize(0);
    var protocol = new HttpConnectionFactory(http);
    var connector =
        door.tls()
            .map(tls -> new ServerConnector(server, tls, protocol))
            .orElseGet(() -> new ServerConnector(server, protocol));
    connector.setHost(at.getHostString());
    connector.setPort(at.getPort());
    var limits = door.protection().limits();
    connector.setIdleTimeout(limits.idle().toMillis());
    server.addBean(new NetworkConnectionLimit(limits.connections(), connector));
    return connector;
  }
}
