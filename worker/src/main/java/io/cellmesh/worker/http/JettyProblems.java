package io.cellmesh.worker.http;

import java.nio.ByteBuffer;
import java.util.Map;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** Tells in the form of the others what does not even reach a route, as a path that is none. */
final class JettyProblems extends ErrorHandler {
  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    int status = response.getStatus() < 400 ? 500 : response.getStatus();
    var reply = Reply.of(Problem.of(status, Problems.title(status)), Map.of());
    var trace = Trace.of(request).orElseGet(() -> named(request));
    response.setStatus(status);
    response.getHeaders().put(Headers.REQUEST_ID, trace.id());
    reply.headers().forEach((name, value) -> response.getHeaders().put(name, value));
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, reply.contentType());
    // Nobody has read its body, and what follows it on the connection is anything.
    response.getHeaders().put(HttpHeader.CONNECTION, "close");
    response.write(true, ByteBuffer.wrap(reply.json()), callback);
    return true;
  }

  private static Trace named(Request request) {
    var trace = Trace.begin(request.getHeaders().get(Headers.REQUEST_ID));
    trace.keepIn(request);
    return trace;
  }
}
