package io.cellmesh.herb;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * The ends of the partitions that a consumer reads. It knows them itself, but only as they were at
 * the last fetch of each: of one that is read slowly that is minutes ago, and of one that has not
 * had its turn since the consumer began there is none. So they are asked for where one is not
 * known, and anew while much is left. Used by the thread that polls.
 */
final class LogEnds {
  /** How often they are asked for at most, and how long an answer may take. */
  private static final Duration ASK = Duration.ofSeconds(5);

  private final Consumer<?, ?> consumer;
  private final long much;
  private final Map<TopicPartition, Long> told = new HashMap<>();
  private long asked = System.nanoTime() - ASK.toNanos();

  /**
   * @param much records of each partition, over all of them: fewer are read before the ends are old
   */
  LogEnds(Consumer<?, ?> consumer, long much) {
    this.consumer = consumer;
    this.much = much;
  }

  /**
   * Asks for the ends of partitions, where that is worth it and was not done just now.
   *
   * @param next where each is read on
   */
  void look(Map<TopicPartition, Long> next) {
    if (System.nanoTime() - asked >= ASK.toNanos() && isWorthIt(next)) {
      try {
        told.putAll(consumer.endOffsets(next.keySet(), ASK));
      } catch (TimeoutException e) {
        // Whoever polls sees by himself whether Kafka is away.
      }
      asked = System.nanoTime();
    }
  }

  private boolean isWorthIt(Map<TopicPartition, Long> next) {
    long left = 0;
    for (var at : next.entrySet()) {
      if (consumer.currentLag(at.getKey()).isEmpty() && !told.containsKey(at.getKey())) {
        return true;
      }
      left += of(at.getKey(), at.getValue()) - at.getValue();
    }
    return left > much * next.size();
  }

  /**
   * Says which offset is behind the last record, as it is known.
   *
   * @param next where the partition is read on; returned where nothing is known
   */
  long of(TopicPartition at, long next) {
    return Math.max(next + consumer.currentLag(at).orElse(0), told.getOrDefault(at, next));
  }

  /** Forgets those of partitions that somebody else reads now. */
  void leave(Collection<TopicPartition> partitions) {
    told.keySet().removeAll(partitions);
  }
}
