package io.cellmesh.deployment;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Leaves out what compaction would: of what comes at once of a topic that holds the newest value of
 * each key, the values that are older. A key that changes every few seconds stands there hundreds
 * of times before its segment is compacted, and to take each of them in costs more than to read it.
 */
public final class NewestOfKeys {
  private NewestOfKeys() {}

  /**
   * Picks the newest record of each key.
   *
   * @param records in the order of their partitions; a key is always in the same one
   * @return the last one of each key, in that order
   */
  public static <K, V> Collection<ConsumerRecord<K, V>> of(Iterable<ConsumerRecord<K, V>> records) {
    Map<Object, ConsumerRecord<K, V>> newest = new LinkedHashMap<>();
    for (var record : records) {
      var key = comparable(record.key());
      newest.remove(key);
      newest.put(key, record);
    }
    return newest.values();
  }

  private static Object comparable(Object key) {
    return key instanceof byte[] bytes ? ByteBuffer.wrap(bytes) : key;
  }
}
