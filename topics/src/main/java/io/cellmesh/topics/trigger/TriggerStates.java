package io.cellmesh.topics.trigger;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * What the state topic says of one trigger, or of all, put together from its records: the sink of a
 * {@link StateReader}. Belongs to the thread that reads.
 */
public final class TriggerStates {
  private final Optional<TriggerName> only;
  private final Map<TriggerName, Map<Integer, TriggerPartition>> states = new TreeMap<>();

  private TriggerStates(Optional<TriggerName> only) {
    this.only = only;
  }

  /** Of every trigger. */
  public static TriggerStates ofAll() {
    return new TriggerStates(Optional.empty());
  }

  /** Of one trigger, whom damaged records of others don't concern. */
  public static TriggerStates of(TriggerName trigger) {
    return new TriggerStates(Optional.of(trigger));
  }

  /**
   * Takes a record in, in the order of the topic.
   *
   * @throws DamagedRecordException if it can't be read
   */
  public void accept(ConsumerRecord<byte[], byte[]> record) {
    if (only.isPresent() && !StateKey.belongsTo(only.get(), record.key())) {
      return;
    }
    var read = StateRecord.read(record);
    partition(read.key().trigger(), record.partition()).accept(read);
  }

  /** Forgets a partition that is read by somebody else from now on. */
  public void release(int partition) {
    states.values().forEach(partitions -> partitions.remove(partition));
  }

  /** The triggers that are created, in alphabetical order. */
  public List<TriggerName> created() {
    return states.entrySet().stream()
        .filter(state -> state.getValue().values().stream().anyMatch(p -> p.creation().isPresent()))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** What a partition says of a trigger; it goes on changing while the partition is followed. */
  public TriggerPartition partition(TriggerName trigger, int partition) {
    return states
        .computeIfAbsent(trigger, t -> new HashMap<>())
        .computeIfAbsent(partition, p -> new TriggerPartition());
  }

  /**
   * All partitions of a trigger, by their numbers.
   *
   * @param count P
   */
  public List<TriggerPartition> partitions(TriggerName trigger, int count) {
    return IntStream.range(0, count).mapToObj(number -> partition(trigger, number)).toList();
  }
}
