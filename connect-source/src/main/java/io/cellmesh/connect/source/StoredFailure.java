package io.cellmesh.connect.source;

import io.cellmesh.cell.LogOffset;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.kafka.connect.storage.OffsetStorageReader;

/**
 * Reads from the stored offset why a task has ended by itself.
 *
 * <p>Connect answers only when every transaction in its offset topic has ended, so a transaction
 * that a dead task has left open can hold the answer up for a minute; and then it says that the
 * task did not end by itself.
 */
final class StoredFailure implements Supplier<Optional<String>> {
  private static final long PATIENCE_MILLIS = 2000;

  private final OffsetStorageReader offsets;
  private final Map<String, String> partition;
  private CompletableFuture<Optional<String>> answer;

  StoredFailure(OffsetStorageReader offsets, Map<String, String> partition) {
    this.offsets = offsets;
    this.partition = partition;
  }

  /** Empty also where that can't be known soon. One thread may ask. */
  @Override
  public Optional<String> get() {
    if (answer == null) {
      answer = new CompletableFuture<>();
      var reader = new Thread(() -> read(answer), "cellmesh-stored-failure");
      reader.setDaemon(true);
      reader.start();
    }
    try {
      var failure = answer.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
      answer = null;
      return failure;
    } catch (TimeoutException e) {
      return Optional.empty();
    } catch (ExecutionException e) {
      answer = null;
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  private void read(CompletableFuture<Optional<String>> into) {
    try {
      into.complete(
          Optional.ofNullable(offsets.offset(partition))
              .map(stored -> stored.get(LogOffset.FAILED))
              .map(String::valueOf));
    } catch (RuntimeException e) {
      into.completeExceptionally(e);
    }
  }
}
