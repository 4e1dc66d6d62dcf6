package io.cellmesh.herb;

import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/** The port that peers read at: HTTP/2, over TLS only for those who have a certificate. */
final class OriginConnector {
  /** For whoever takes no more bytes. */
  private static final long IDLE_MILLIS = 60_000;

  private OriginConnector() {}

  static Connector of(
      Server server, HttpConfiguration http, String bind, int port, Optional<SSLContext> tls) {
    http.setSendServerVersion(false);
    var connector =
        tls.map(context -> secured(server, http, context))
            .orElseGet(
                () ->
                    new ServerConnector(
                        server,
                        new HttpConnectionFactory(http),
                        new HTTP2CServerConnectionFactory(http)));
    connector.setHost(bind);
    connector.setPort(port);
    connector.setIdleTimeout(IDLE_MILLIS);
    return connector;
  }

  private static ServerConnector secured(
      Server server, HttpConfiguration http, SSLContext context) {
    // A peer may know this one by an address.
    http.addCustomizer(new SecureRequestCustomizer(false));
    var ssl = new SslContextFactory.Server();
    ssl.setSslContext(context);
    ssl.setNeedClientAuth(true);
    ssl.setIncludeProtocols("TLSv1.3", "TLSv1.2");
    var alpn = new ALPNServerConnectionFactory("h2", "http/1.1");
    alpn.setDefaultProtocol("http/1.1");
    return new ServerConnector(
        server,
        new SslConnectionFactory(ssl, alpn.getProtocol()),
        alpn,
        new HTTP2ServerConnectionFactory(http),
        new HttpConnectionFactory(http));
  }
}
