package io.cellmesh.operations.log;

import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/** What a log, and the topics of columns beside it, hold before they are rebuilt. */
interface OldLog {
  /** Records, and markers of transactions, that they hold now. */
  long retained() throws InterruptedException;

  /** Where each of their partitions ends now. */
  Map<TopicPartition, Long> ends() throws InterruptedException;

  /**
   * Deletes every record before the ends.
   *
   * @param ends as they were; what was written since stays
   */
  void delete(Map<TopicPartition, Long> ends) throws InterruptedException;
}
