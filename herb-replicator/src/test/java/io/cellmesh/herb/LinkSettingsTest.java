package io.cellmesh.herb;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Shards;
import io.cellmesh.deployment.KafkaAccess;
import java.util.Map;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.Test;

class LinkSettingsTest {
  private static final LinkTuning TUNING = new LinkTuning(3, "zstd", 0, LinkLimits.ALONE);

  @Test
  void noBufferOfAFixedSizeCapsALinkThatIsFarAway() {
    var consumer = consumer(Map.of());

    assertThat(consumer)
        .containsEntry("receive.buffer.bytes", -1)
        .containsEntry("fetch.max.bytes", 8 << 20)
        .containsEntry("max.partition.fetch.bytes", 4 << 20);
  }

  @Test
  void whatThePeersOwnSettingsSayOfBuffersCounts() {
    assertThat(consumer(Map.of("receive.buffer.bytes", "1048576")).get("receive.buffer.bytes"))
        .hasToString("1048576");
  }

  @Test
  void threadsAndCompressionAreAsTheyAreSet() {
    var streams = streams(Map.of());

    assertThat(streams.getInt(StreamsConfig.NUM_STREAM_THREADS_CONFIG)).isEqualTo(3);
    assertThat(streams.getProducerConfigs("link"))
        .containsEntry("compression.type", "zstd")
        .containsEntry("max.in.flight.requests.per.connection", 1)
        .containsEntry("enable.idempotence", true);
  }

  @Test
  void aLinkThatMayWaitForMoreHasBrokersAnswerOnceInThatTimeAndSendsAsSeldom() {
    var patient = streams(Map.of(), new LinkTuning(1, "lz4", 250, LinkLimits.ALONE));

    assertThat(patient.getMainConsumerConfigs("group", "link", 0))
        .containsEntry("fetch.min.bytes", 256 << 10)
        .containsEntry("fetch.max.wait.ms", 250);
    assertThat(patient.getProducerConfigs("link")).containsEntry("linger.ms", 250);
    assertThat(consumer(Map.of())).doesNotContainKey("fetch.min.bytes");
  }

  private static Map<String, Object> consumer(Map<String, String> peer) {
    return streams(peer).getMainConsumerConfigs("group", "link", 0);
  }

  private static StreamsConfig streams(Map<String, String> peer) {
    return streams(peer, TUNING);
  }

  private static StreamsConfig streams(Map<String, String> peer, LinkTuning tuning) {
    return new StreamsConfig(
        LinkSettings.of(
            "trips-herb-dc1", new KafkaAccess("dc2:9092", peer), new Shards(64, 16), tuning));
  }
}
