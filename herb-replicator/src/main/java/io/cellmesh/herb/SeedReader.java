package io.cellmesh.herb;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Reads a peer's seed from a place on; each transport has its own way. For one thread. */
interface SeedReader extends AutoCloseable {
  /**
   * Waits for records, for a second or as long as an answer takes.
   *
   * @return what came, by partition and in the order of each
   */
  Map<Integer, List<ConsumerRecord<byte[], byte[]>>> poll() throws InterruptedException;

  /** The offset of the next record of a partition. */
  long position(int partition);

  /** Reads no further in a partition. */
  void leave(int partition);

  /** Records that there are beyond, in the partitions that are read. */
  long behind();

  /** Ends the waiting; any thread may. */
  void wakeup();

  @Override
  void close();
}
