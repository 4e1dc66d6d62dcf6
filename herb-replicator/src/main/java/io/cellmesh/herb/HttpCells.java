package io.cellmesh.herb;

import io.cellmesh.deployment.wire.Batch;
import io.cellmesh.deployment.wire.BatchReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The batches that a peer sends over HTTP, of the partitions that it was asked for last. One thread
 * reads and asks, any may close.
 */
final class HttpCells implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HttpCells.class);

  private final Source source;
  private final String log;
  private volatile InputStream stream = InputStream.nullInputStream();
  private volatile boolean closed;
  private BatchReader reader;
  private Set<Integer> asked = Set.of();
  private long bytes;

  /** The peer, which is asked. */
  interface Source {
    /**
     * @param next the offset of the first record that is wanted, by partition
     * @throws PeerAwayException if it does not answer
     * @throws HaltException if it refuses this data centre
     */
    InputStream open(Map<Integer, Long> next) throws InterruptedException;
  }

  /**
   * Asks for nothing yet.
   *
   * @param log the topic's name
   */
  HttpCells(Source source, String log) {
    this.source = source;
    this.log = log;
  }

  /**
   * Asks for partitions, in place of those before; for none of them where the map is empty.
   *
   * @param next the offset of the first record that is wanted, by partition
   */
  void ask(Map<Integer, Long> next) throws InterruptedException {
    end();
    asked = Set.copyOf(next.keySet());
    if (!next.isEmpty()) {
      stream = source.open(next);
      reader = new BatchReader(stream, log);
      if (closed) {
        end();
      }
    }
  }

  Set<Integer> asked() {
    return asked;
  }

  /** Whether something of the next batch is there, so that the rest is on its way. */
  boolean hasMore() throws IOException {
    return !asked.isEmpty() && stream.available() > 0;
  }

  /** Waits for the next batch. */
  Batch read() throws IOException {
    long before = reader.bytes();
    try {
      return reader.next().orElseThrow(() -> new EOFException("the stream has ended"));
    } finally {
      bytes += reader.bytes() - before;
    }
  }

  /** What has come on the way, packed. */
  long bytes() {
    return bytes;
  }

  @Override
  public void close() {
    closed = true;
    end();
  }

  private void end() {
    try {
      stream.close();
    } catch (IOException e) {
      LOG.debug("A stream that was cut can't be closed", e);
    }
  }
}
