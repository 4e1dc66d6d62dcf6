package io.cellmesh.triggers.webhook;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;

/**
 * Keeps the first {@value #KEPT} bytes of a body. The rest is read and dropped, so that the
 * connection can be used again; of a body over {@value #READ} bytes nothing more is read, and its
 * connection is closed.
 */
final class FirstBytes implements BodySubscriber<byte[]> {
  static final int KEPT = 1 << 10;
  static final int READ = 64 << 10;

  private final CompletableFuture<byte[]> body = new CompletableFuture<>();
  private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
  private Subscription subscription;
  private int read;

  @Override
  public CompletionStage<byte[]> getBody() {
    return body;
  }

  @Override
  public void onSubscribe(Subscription made) {
    subscription = made;
    subscription.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    for (var buffer : buffers) {
      read += buffer.remaining();
      var part = new byte[Math.min(buffer.remaining(), KEPT - kept.size())];
      buffer.get(part);
      kept.writeBytes(part);
      if (read > READ) {
        subscription.cancel();
        onComplete();
        return;
      }
    }
  }

  @Override
  public void onError(Throwable failure) {
    body.completeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    body.complete(kept.toByteArray());
  }
}
