package io.cellmesh.deployment;

import java.time.Duration;
import java.util.function.BiConsumer;

/**
 * What a data centre has folded for the proof, from the beginning of its {@code trips.checkpoint}:
 * key a bucket or a place, value what is known of it. For one thread.
 */
public interface Checkpoints extends AutoCloseable {
  /**
   * Hands over what comes within a time, key and value.
   *
   * @return how many records came
   */
  int poll(Duration within, BiConsumer<byte[], byte[]> reader) throws InterruptedException;

  /** Hands over everything that is there now and was not handed over. */
  void readToEnd(BiConsumer<byte[], byte[]> reader) throws InterruptedException;

  @Override
  void close();
}
