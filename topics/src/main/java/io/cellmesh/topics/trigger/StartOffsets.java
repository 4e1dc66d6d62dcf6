package io.cellmesh.topics.trigger;

import io.cellmesh.topics.TopicOffsets;
import io.cellmesh.topics.TriggerTopicReach;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Finds the offsets that a start means. The end of a partition is that of what is committed: a cell
 * in a transaction that is still open comes after a start that is now.
 */
public final class StartOffsets {
  private StartOffsets() {}

  /**
   * Finds the offset of each partition, by its number.
   *
   * @param client that reads what is committed
   * @param whatIsLeft whether the beginning may be the first record that a partition still has
   * @throws TriggerRefusedException if a partition has lost records from before the start, or does
   *     not reach it
   */
  public static List<Long> of(
      Consumer<?, ?> client, TopicOffsets topic, Start start, boolean whatIsLeft) {
    if (start instanceof Start.Beginning) {
      return whatIsLeft ? topic.begin() : beginning(topic);
    }
    if (start instanceof Start.Time at) {
      return since(client, topic, at.time());
    }
    return start instanceof Start.Offsets asked ? checked(topic, asked.offsets()) : topic.end();
  }

  /**
   * Finds where each partition of a column's own topic comes whole and in order, by what the log
   * has of the column.
   *
   * @param topic of the column
   * @param reaches of its partitions, by their numbers
   * @throws TriggerRefusedException if a partition lacks cells, or has no such place
   */
  static List<Long> whole(String topic, List<TriggerTopicReach> reaches) {
    var begins = new ArrayList<Long>();
    for (var reach : reaches) {
      reach
          .shortfalls()
          .forEach(
              lacking -> {
                throw new TriggerRefusedException(
                    "start = beginning: %s has %d of the %d cells that the log holds of shard %d; say --what-is-left to begin with the first that it has, or rebuild the log (`cellmesh log rebuild`)"
                        .formatted(topic, lacking.found(), lacking.cells(), lacking.shard()));
              });
      begins.add(
          reach
              .beginning()
              .orElseThrow(
                  () ->
                      new TriggerRefusedException(
                          "start = beginning: %s-%d has each shard whole, but no place from which all are, since they were rebuilt one after another; say --what-is-left to begin with the first that it has"
                              .formatted(topic, begins.size()))));
    }
    return begins;
  }

  /** The first record of each partition that is as young as that; the end if none is. */
  public static List<Long> since(Consumer<?, ?> client, TopicOffsets topic, Instant time) {
    var asked = new HashMap<TopicPartition, Long>();
    for (int number = 0; number < topic.partitions(); number++) {
      asked.put(topic.partition(number), time.toEpochMilli());
    }
    var found = client.offsetsForTimes(asked);
    var offsets = new ArrayList<Long>();
    for (int number = 0; number < topic.partitions(); number++) {
      var first = found.get(topic.partition(number));
      offsets.add(first == null ? topic.end(number) : Long.valueOf(first.offset()));
    }
    return offsets;
  }

  private static List<Long> beginning(TopicOffsets topic) {
    for (int number = 0; number < topic.partitions(); number++) {
      if (topic.begin(number) > 0) {
        throw new TriggerRefusedException(
            "start = beginning: %s begins at offset %d, its records before that are gone; say --what-is-left to begin with the first that each partition still has, or rebuild the log (`cellmesh log rebuild`)"
                .formatted(topic.partition(number), topic.begin(number)));
      }
    }
    return topic.begin();
  }

  private static List<Long> checked(TopicOffsets topic, List<Long> asked) {
    if (asked.size() != topic.partitions()) {
      throw new TriggerRefusedException(
          "start = %d offsets: %s has %d partitions, and each needs one"
              .formatted(asked.size(), topic.topic(), topic.partitions()));
    }
    for (int number = 0; number < topic.partitions(); number++) {
      long offset = asked.get(number);
      if (offset < topic.begin(number) || offset > topic.end(number)) {
        throw new TriggerRefusedException(
            "start = offset %d: %s holds %d to %d"
                .formatted(
                    offset, topic.partition(number), topic.begin(number), topic.end(number)));
      }
    }
    return asked;
  }
}
