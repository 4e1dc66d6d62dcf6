package io.cellmesh.topics.trigger;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
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
  private final Map<Place, DamagedRecordException> damaged = new LinkedHashMap<>();

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
   * Takes a record in, in the order of the topic. One that can't be read is told of when its
   * partition is asked for, unless another one of its key has come by then.
   */
  public void accept(ConsumerRecord<byte[], byte[]> record) {
    if (only.isPresent() && !StateKey.belongsTo(only.get(), record.key())) {
      return;
    }
    var place = new Place(record.partition(), record.key() == null ? "" : text(record.key()));
    damaged.remove(place);
    try {
      var read = StateRecord.read(record);
      known(read.key().trigger(), record.partition()).accept(read);
    } catch (DamagedRecordException e) {
      if (record.value() != null) {
        damaged.put(place, e);
      }
    }
  }

  /** Forgets a partition that is read by somebody else from now on. */
  public void release(int partition) {
    states.values().forEach(partitions -> partitions.remove(partition));
    damaged.keySet().removeIf(place -> place.partition() == partition);
  }

  /**
   * The triggers that are created, in alphabetical order.
   *
   * @throws DamagedRecordException if a record can't be read
   */
  public List<TriggerName> created() {
    damaged
        .values()
        .forEach(
            damage -> {
              throw damage;
            });
    return states.entrySet().stream()
        .filter(state -> state.getValue().values().stream().anyMatch(p -> p.creation().isPresent()))
        .map(Map.Entry::getKey)
        .toList();
  }

  /**
   * What a partition says of a trigger. It goes on changing while the partition is followed, and is
   * asked for again after each reading.
   *
   * @throws DamagedRecordException if a record of both can't be read
   */
  public TriggerPartition partition(TriggerName trigger, int partition) {
    damaged.forEach(
        (place, damage) -> {
          if (place.partition() == partition && StateKey.belongsTo(trigger, place.bytes())) {
            throw damage;
          }
        });
    return known(trigger, partition);
  }

  /**
   * All partitions of a trigger, by their numbers.
   *
   * @param count P
   * @throws DamagedRecordException if a record of the trigger can't be read
   */
  public List<TriggerPartition> partitions(TriggerName trigger, int count) {
    return IntStream.range(0, count).mapToObj(number -> partition(trigger, number)).toList();
  }

  private TriggerPartition known(TriggerName trigger, int partition) {
    return states
        .computeIfAbsent(trigger, t -> new HashMap<>())
        .computeIfAbsent(partition, p -> new TriggerPartition());
  }

  private static String text(byte[] key) {
    return new String(key, StandardCharsets.UTF_8);
  }

  /** Where a later record replaces a damaged one. */
  private record Place(int partition, String key) {
    byte[] bytes() {
      return key.getBytes(StandardCharsets.UTF_8);
    }
  }
}
