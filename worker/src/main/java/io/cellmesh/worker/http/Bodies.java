package io.cellmesh.worker.http;

import io.javalin.http.Context;
import io.javalin.http.Header;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Reads requests' bodies, within bounds of size and time, whether or not their length is told
 * beforehand.
 */
final class Bodies {
  private static final String NAME = "cellmesh-body";
  private static final int CHUNK = 16 << 10;
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
    if (call.contentLength() > most) {
      throw tooLarge();
    }
    if (hasNone(call)) {
      call.attribute(NAME, NONE);
      return;
    }
    long begun = clock.getAsLong();
    var body = new ByteArrayOutputStream(Math.max(0, call.contentLength()));
    var chunk = new byte[CHUNK];
    try {
      var in = call.req().getInputStream();
      for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
        body.write(chunk, 0, n);
        if (body.size() > most) {
          throw tooLarge();
        }
        if (clock.getAsLong() - begun > patience.toNanos()) {
          throw slow();
        }
      }
    } catch (IOException e) {
      throw slow();
    }
    call.attribute(NAME, body.toByteArray());
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
