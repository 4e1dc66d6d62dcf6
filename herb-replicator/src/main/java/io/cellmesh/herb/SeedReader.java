package io.cellmesh.herb;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Reads a peer's seed from a place on; each transport has its own way. For one thread. */
interface SeedReader extends AutoCloseable {
  /** How long it waits for records. */
  Duration WAIT = Duration.ofSeconds(1);

  /** How soon it is asked again where partitions wait for room. */
  Duration LOOK = Duration.ofMillis(20);

  /**
   * Waits for records, for {@link #WAIT}, {@link #LOOK} or as long as an answer takes.
   *
   * @param full partitions that are left out this time
   * @return what came, by partition and in the order of each
   */
  Map<Integer, List<ConsumerRecord<byte[], byte[]>>> poll(Set<Integer> full)
      throws InterruptedException;

  /** How long is waited beside partitions that are left out. */
  static Duration wait(Set<Integer> full) {
    return full.isEmpty() ? WAIT : LOOK;
  }

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
