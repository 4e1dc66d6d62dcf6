package io.cellmesh.operations.mesh;

import io.cellmesh.cell.InstanceNames;
import io.cellmesh.cell.ReadPlace;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.GroupPlaces;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.PartitionReader;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;

/**
 * How long a data centre that is away can come back and read on in a survivor's log. It depends on
 * the retention of that log and on how far its link has read there.
 *
 * @param retention of the log; empty if it is kept for ever
 * @param bySize whether records may go sooner, as more come
 * @param places of the link that is away
 * @param oldest when the oldest record was written that the link has not read; empty if there is
 *     none
 */
record ReturnDeadline(
    Optional<Duration> retention,
    boolean bySize,
    List<ReadPlace> places,
    Optional<Instant> oldest) {
  /** A place may be followed by marks of transactions, which are no records. */
  private static final int LOOK = 16;

  ReturnDeadline {
    places = List.copyOf(places);
  }

  /**
   * Asks a survivor.
   *
   * @param away the name of the one that is away
   */
  static ReturnDeadline of(DataCenter survivor, String away) throws InterruptedException {
    var topology = survivor.topology();
    var log = topology.topics().log();
    try (var admin = Consumers.admin(survivor.kafka());
        var client = Consumers.open(survivor.kafka())) {
      var group = InstanceNames.linkGroup(topology.instance(), away);
      var places = new GroupPlaces(admin, group).read(client, List.of(log));
      var config = config(admin, log);
      long ms = Long.parseLong(config.get(TopicConfig.RETENTION_MS_CONFIG).value());
      return new ReturnDeadline(
          ms < 0 ? Optional.empty() : Optional.of(Duration.ofMillis(ms)),
          !config.get(TopicConfig.RETENTION_BYTES_CONFIG).value().equals("-1"),
          places,
          oldest(client, places));
    }
  }

  /**
   * Says until when, in a sentence.
   *
   * @param survivor the name of the one whose log it is
   * @param away the name of the one that is away
   */
  String text(String survivor, String away, Instant now) {
    if (places.stream().allMatch(place -> place.committed().isEmpty())) {
      return "%s does not know how far %s has read its log: over HTTP, or after a week, that is known in %s alone"
          .formatted(survivor, away, away);
    }
    var bad = places.stream().filter(ReadPlace::bad).findFirst();
    if (bad.isPresent()) {
      return "%s needs a seed from %s: %s".formatted(away, survivor, bad.get().text());
    }
    var soon = bySize ? ", or sooner: retention.bytes is set" : "";
    if (retention.isEmpty()) {
      return "%s can come back without a seed from %s at any time%s"
          .formatted(away, survivor, soon);
    }
    return "%s can come back without a seed from %s until %s%s"
        .formatted(
            away,
            survivor,
            oldest.orElse(now).plus(retention.get()).truncatedTo(ChronoUnit.SECONDS),
            soon);
  }

  private static Optional<Instant> oldest(Consumer<byte[], byte[]> client, List<ReadPlace> places) {
    var times = new ArrayList<Long>();
    for (var place : places) {
      if (!place.bad() && place.next() < place.end()) {
        new PartitionReader(client)
            .read(
                new TopicPartition(place.topic(), place.partition()),
                place.next(),
                Math.min(place.next() + LOOK, place.end()),
                record -> times.add(record.timestamp()));
      }
    }
    return times.stream().min(Long::compare).map(Instant::ofEpochMilli);
  }

  private static Config config(Admin admin, String topic) throws InterruptedException {
    var resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    try {
      return admin.describeConfigs(List.of(resource)).all().get().get(resource);
    } catch (ExecutionException e) {
      throw new KafkaException(topic + ": " + e.getCause().getMessage(), e.getCause());
    }
  }
}
