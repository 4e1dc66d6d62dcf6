package io.cellmesh.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow.Subscriber;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The empty body of a request that is sent once. HttpClient sends a GET again by itself when a
 * connection ends without an answer, to the same host and uncounted; it asks for the body's length
 * first.
 */
final class OneRequest implements BodyPublisher {
  private final BodyPublisher nothing = BodyPublishers.noBody();
  private final AtomicBoolean sent = new AtomicBoolean();

  @Override
  public long contentLength() {
    if (sent.getAndSet(true)) {
      throw new UncheckedIOException(
          new IOException("the connection ended before the answer began"));
    }
    return 0;
  }

  @Override
  public void subscribe(Subscriber<? super ByteBuffer> subscriber) {
    nothing.subscribe(subscriber);
  }
}
