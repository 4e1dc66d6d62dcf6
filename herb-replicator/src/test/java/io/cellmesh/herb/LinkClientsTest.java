package io.cellmesh.herb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Shards;
import io.cellmesh.deployment.KafkaAccess;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.Test;

/** What a link takes of its process and of the way to its peer. */
class LinkClientsTest {
  private static final int MIB = 1 << 20;

  @Test
  void a_link_takes_little_unless_it_may_have_more() {
    assertThat(consumer(LinkLimits.SHARED))
        .containsEntry("fetch.max.bytes", 2 * MIB)
        .containsEntry("max.partition.fetch.bytes", 2 * MIB)
        .containsEntry("max.poll.records", 1_000);
    assertThat(consumer(LinkLimits.ALONE))
        .containsEntry("fetch.max.bytes", 8 * MIB)
        .containsEntry("max.partition.fetch.bytes", 4 * MIB);
    var streams = streams(LinkLimits.SHARED);
    assertThat(streams.getInt(StreamsConfig.NUM_STREAM_THREADS_CONFIG)).isEqualTo(1);
    assertThat(streams.getInt(StreamsConfig.BUFFERED_RECORDS_PER_PARTITION_CONFIG)).isEqualTo(125);
    assertThat((long) streams.getProducerConfigs("link").get("buffer.memory"))
        .isLessThan(6L * MIB)
        .isGreaterThan((int) streams.getProducerConfigs("link").get("max.request.size"));
  }

  @Test
  void its_limits_are_those_of_its_clients() {
    var limits = new LinkLimits(OptionalInt.of(100_000), 4 * MIB, 10);
    assertThat(consumer(limits))
        // It waits for what an answer brought, ten seconds at most.
        .containsEntry("fetch.max.bytes", 1_000_000)
        .containsEntry("max.partition.fetch.bytes", 1_000_000)
        .containsEntry("max.poll.records", 10);
    assertThat(streams(limits).getInt(StreamsConfig.BUFFERED_RECORDS_PER_PARTITION_CONFIG))
        .isEqualTo(1);
    assertThat(consumer(new LinkLimits(OptionalInt.of(Integer.MAX_VALUE), 4 * MIB, 10)))
        .containsEntry("fetch.max.bytes", 4 * MIB);
  }

  @Test
  void what_the_peers_own_settings_say_counts_unless_the_link_is_held_to_a_pace() {
    var peer = Map.of("fetch.max.bytes", "50000000");
    assertThat(streams(LinkLimits.SHARED, peer).getMainConsumerConfigs("group", "link", 0))
        .extractingByKey("fetch.max.bytes")
        .hasToString("50000000");
    // A group would take a link for dead that waits so long for what an answer brought.
    var paced = new LinkLimits(OptionalInt.of(100_000), 4 * MIB, 10);
    assertThat(streams(paced, peer).getMainConsumerConfigs("group", "link", 0))
        .containsEntry("fetch.max.bytes", 1_000_000);
  }

  @Test
  void nobody_is_sent_figures_that_nobody_asks_for() {
    assertThat(consumer(LinkLimits.SHARED))
        .containsEntry("metric.reporters", List.of())
        .containsEntry("enable.metrics.push", false);
    assertThat(streams(LinkLimits.SHARED).getProducerConfigs("link"))
        .containsEntry("metric.reporters", List.of());
  }

  @Test
  void a_consumer_asks_for_more_when_the_time_for_what_it_had_is_over() {
    var pace = new Pace(OptionalInt.of(1), () -> 0);
    var settings = new HashMap<>(consumer(LinkLimits.SHARED));
    settings.put("bootstrap.servers", "127.0.0.1:9");
    // Streams gives it what it wants.
    settings.remove("partition.assignment.strategy");
    try (var consumer =
        new PeerClients(
                KafkaAccess.plain("here:1"),
                OthersLeftOut.of(Logs.TERMS),
                places -> {},
                new LinkBounds(MeshWindow.none(), pace),
                new LogBehind())
            .getConsumer(settings)) {
      assertThatThrownBy(() -> consumer.poll(Duration.ZERO))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("not subscribed");

      pace.took(Integer.MAX_VALUE);
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> consumer.poll(Duration.ZERO)).isInstanceOf(InterruptException.class);
      // The exception leaves the flag as it was.
      assertThat(Thread.interrupted()).isTrue();

      pace.end();
      assertThatThrownBy(() -> consumer.poll(Duration.ZERO))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  private static Map<String, Object> consumer(LinkLimits limits) {
    return streams(limits).getMainConsumerConfigs("trips-herb-dc1", "link", 0);
  }

  private static StreamsConfig streams(LinkLimits limits) {
    return streams(limits, Map.of());
  }

  private static StreamsConfig streams(LinkLimits limits, Map<String, String> peer) {
    return new StreamsConfig(
        LinkSettings.of(
            "trips-herb-dc1",
            new KafkaAccess("there:1", peer),
            new Shards(64, 16),
            new LinkTuning(1, "lz4", 0, limits)));
  }
}
