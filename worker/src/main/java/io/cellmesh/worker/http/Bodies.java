package io.cellmesh.worker.http;

import io.javalin.http.Context;
import io.javalin.http.Header;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.eclipse.jetty.io.EndPoint;

/**
 * Reads requests' bodies, within bounds of size and time, whether or not their length is told
 * beforehand.
 */
final class Bodies {
  private static final String NAME = "cellmesh-body";
  private static final int CHUNK = 16 << 10;

  /**
   * What is read of a body beyond what it may have: whoever still sends when the connection is
   * closed may never get to read the answer.
   */
  private static final int BEYOND = 16 << 20;

  private static final byte[] NONE = {};

  private final int most;
  private final Duration patience;
  private final LongSupplier clock;

  /**
   * @param most bytes
   * @param patience how long one may take to arrive
   * @param clock in nanoseconds
   */
  Bodies(int most, Duration patience, LongSupplier clock) {
    this.most = most;
    this.patience = patience;
    this.clock = clock;
  }

  /** What {@link #read} has read. */
  static byte[] of(Context call) {
    return call.attribute(NAME);
  }

  /**
   * Reads a body to its end.
   *
   * @throws ProblemException 413 if it is too large, 408 if it does not arrive in time
   */
  void read(Context call) {
    long told = call.req().getContentLengthLong();
    if (told > most && (told - most > BEYOND || call.header(Header.EXPECT) != null)) {
      throw tooLarge();
    }
    if (hasNone(call)) {
      call.attribute(NAME, NONE);
      return;
    }
    var connection = Connections.of(call);
    long idle = connection.getIdleTimeout();
    try {
      call.attribute(NAME, read(call, connection));
    } catch (IOException e) {
      throw told > most ? tooLarge() : slow();
    } finally {
      connection.setIdleTimeout(idle);
    }
  }

  private byte[] read(Context call, EndPoint connection) throws IOException {
    long begun = clock.getAsLong();
    var body = new ByteArrayOutputStream(Math.min(most, Math.max(0, call.contentLength())));
    var chunk = new byte[CHUNK];
    var in = call.req().getInputStream();
    int size = 0;
    while (size <= most + BEYOND) {
      // A read that blocks fails when its connection has been idle for so long.
      connection.setIdleTimeout(millisLeft(begun));
      int n = in.read(chunk);
      if (n < 0) {
        break;
      }
      size += n;
      if (size <= most) {
        body.write(chunk, 0, n);
      }
    }
    if (size > most) {
      throw tooLarge();
    }
    return body.toByteArray();
  }

  private long millisLeft(long begun) throws IOException {
    long left = patience.toNanos() - (clock.getAsLong() - begun);
    if (left < 0) {
      throw new SocketTimeoutException();
    }
    return Math.max(1, TimeUnit.NANOSECONDS.toMillis(left));
  }

  /** Most calls, which are spared the room for a chunk. */
  private static boolean hasNone(Context call) {
    return call.req().getContentLengthLong() <= 0 && call.header(Header.TRANSFER_ENCODING) == null;
  }

  private ProblemException slow() {
    return new ProblemException(
        Problem.slow("the body was not here within %d ms".formatted(patience.toMillis())));
  }

  private ProblemException tooLarge() {
    return new ProblemException(Problem.tooLarge("the body has over %d bytes".formatted(most)));
  }
}
