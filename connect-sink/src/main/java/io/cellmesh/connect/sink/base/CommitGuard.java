package io.cellmesh.connect.sink.base;

import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what a commit met that no later one can mend, until the next delivery throws it. Connect
 * swallows what {@code SinkTask.preCommit} throws, and reads again from where it was without saying
 * so, each time from further back. Not thread-safe.
 */
public final class CommitGuard {
  private static final Logger LOG = LoggerFactory.getLogger(CommitGuard.class);

  private RuntimeException failure;

  /**
   * Names offsets to commit.
   *
   * @param secured finds them out; a {@link RetriableException} of its passes by itself
   * @return none if that failed: Connect commits nothing then
   */
  public Map<TopicPartition, OffsetAndMetadata> offsets(
      Supplier<Map<TopicPartition, OffsetAndMetadata>> secured) {
    try {
      return secured.get();
    } catch (RetriableException e) {
      LOG.debug("no offsets are committed this time: {}", e.getMessage());
    } catch (RuntimeException e) {
      failure = e;
    }
    return Map.of();
  }

  /**
   * Throws what a commit met.
   *
   * @throws RuntimeException if it was what no later one can mend
   */
  public void check() {
    if (failure != null) {
      throw failure;
    }
  }
}
