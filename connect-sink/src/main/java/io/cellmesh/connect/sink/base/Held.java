package io.cellmesh.connect.sink.base;

import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.kafka.connect.errors.ConnectException;

/**
 * Closes what a task holds, the last first: all of it, also where something of it fails to close.
 * Not thread-safe.
 */
public final class Held implements AutoCloseable {
  private final Deque<AutoCloseable> all = new ArrayDeque<>();

  /** Takes something over, and returns it. */
  public <T extends AutoCloseable> T add(T one) {
    all.push(one);
    return one;
  }

  /** Closes all after a failure, to which is added what goes wrong with that. */
  public void closeAfter(Throwable failure) {
    while (!all.isEmpty()) {
      try {
        all.pop().close();
      } catch (Exception | Error e) {
        failure.addSuppressed(e);
      }
    }
  }

  /**
   * Closes all.
   *
   * @throws ConnectException if something failed to close, once the rest is closed
   */
  @Override
  public void close() {
    var failure = new ConnectException("not all that the task holds could be closed");
    closeAfter(failure);
    if (failure.getSuppressed().length > 0) {
      throw failure;
    }
  }
}
