package io.cellmesh.worker.http;

import io.cellmesh.worker.security.Caller;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.RequestLog;
import org.eclipse.jetty.server.Response;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A line a call: who, what, and what became of it. It has neither bodies nor queries. A row key may
 * be somebody's, so a digest stands for it: who knows the key finds its calls, and who reads the
 * log learns no key.
 */
final class AccessLog implements RequestLog {
  private static final Logger LOG = LoggerFactory.getLogger("cellmesh.worker.access");
  private static final double NANOS_A_TENTH = 1e5;
  private static final int DIGEST_BYTES = 6;
  private static final String NONE = "-";

  @Override
  public void log(Request request, Response response) {
    var trace = Trace.of(request).orElseGet(() -> Trace.begin(null));
    var peer = Request.getRemoteAddr(request);
    var token = trace.caller().map(Caller::name).orElse(NONE);
    var row = trace.row().map(AccessLog::digest).orElse(NONE);
    var millis = millis(System.nanoTime() - request.getBeginNanoTime());
    long bytes = Response.getContentBytesWritten(response);
    var method = Parameters.shortened(String.valueOf(request.getMethod()));
    LOG.atInfo()
        .addKeyValue("peer", peer)
        .addKeyValue("token", token)
        .addKeyValue("method", method)
        .addKeyValue("route", trace.route())
        .addKeyValue("instance", trace.instance())
        .addKeyValue("row", row)
        .addKeyValue("status", response.getStatus())
        .addKeyValue("millis", millis)
        .addKeyValue("bytes", bytes)
        .addKeyValue("id", trace.id())
        .log(
            "{} {} {} {} {} row={} {} {} ms {} bytes id={}",
            peer,
            token,
            method,
            trace.route(),
            trace.instance(),
            row,
            response.getStatus(),
            millis,
            bytes,
            trace.id());
  }

  /** With one decimal. */
  static double millis(long nanos) {
    return Math.round(nanos / NANOS_A_TENTH) / 10.0;
  }

  private static String digest(String row) {
    try {
      var hash = MessageDigest.getInstance("SHA-256").digest(row.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, DIGEST_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has it", e);
    }
  }
}
