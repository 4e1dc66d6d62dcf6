package io.cellmesh.worker.http;

import io.javalin.http.Context;
import java.time.Duration;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.IdleTimeout;

/** The connections that calls come by. */
final class Connections {
  private Connections() {}

  static EndPoint of(Context call) {
    return ServletContextRequest.getServletContextRequest(call.req())
        .getConnectionMetaData()
        .getConnection()
        .getEndPoint();
  }

  /** Ends a connection once nothing has moved on it for so long from now on. */
  static void hurry(EndPoint connection, Duration idle) {
    var bare = connection instanceof EndPoint.Wrapper tls ? tls.unwrap() : connection;
    if (bare instanceof IdleTimeout timed) {
      // While its call waited nothing moved either, by right.
      timed.notIdle();
    }
    connection.setIdleTimeout(idle.toMillis());
  }
}
