package io.cellmesh.herb;

import io.cellmesh.deployment.KafkaAccess;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.streams.KafkaClientSupplier;

/**
 * Gives a Streams application consumers of the peer's brokers, whose address its settings carry,
 * and producers to our own. Streams flushes the producer before it commits offsets to the peer, and
 * that is all the atomicity that two clusters need here.
 *
 * @param own brokers of this data centre
 * @param others are left out of what is read
 * @param places is told where the link stands, by partition, each time before that is committed
 * @param bounds of what is read and written
 * @param behind is told how far its consumers are
 */
record PeerClients(
    KafkaAccess own,
    OthersLeftOut others,
    java.util.function.Consumer<Map<Integer, Long>> places,
    LinkBounds bounds,
    LogBehind behind)
    implements KafkaClientSupplier {

  @Override
  public Admin getAdmin(Map<String, Object> config) {
    return Admin.create(config);
  }

  @Override
  public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
    var here = own.quiet();
    config.forEach(
        (name, value) -> {
          if (!saysHowToConnect(name)) {
            here.put(name, value);
          }
        });
    return new FailStopProducer(here, bounds.window());
  }

  /** Which is the peer's way in what Streams hands over. */
  private static boolean saysHowToConnect(String name) {
    return name.equals(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG)
        || name.startsWith("security.")
        || name.startsWith("ssl.")
        || name.startsWith("sasl.");
  }

  @Override
  public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
    return new PlacingConsumer(config, others, places, bounds, behind);
  }

  @Override
  public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
    return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  @Override
  public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
    return getRestoreConsumer(config);
  }
}
