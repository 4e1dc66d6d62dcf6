package io.cellmesh.worker.http;

import org.eclipse.jetty.ee10.servlet.SessionHandler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Stands where Jetty looks for the session of each call; a worker knows none. */
final class NoSessions extends SessionHandler {
  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    var next = getHandler();
    return next != null && next.handle(request, response, callback);
  }
}
