package io.cellmesh.herb;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.OptionalInt;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class PlacingConsumerTest {
  @Test
  void aPlaceThatIsNotSafeHereIsNotCommittedThere() {
    var at = new TopicPartition("trips.log", 3);
    try (var consumer =
        new PlacingConsumer(
            // Nobody listens there.
            Map.of("bootstrap.servers", "127.0.0.1:9", "group.id", "trips-herb-dc1"),
            OthersLeftOut.of(Logs.TERMS),
            places -> {
              throw new KafkaException("told " + places);
            },
            new LinkBounds(MeshWindow.none(), new Pace(OptionalInt.empty(), () -> 0)),
            new LogBehind())) {
      assertThatThrownBy(() -> consumer.commitSync(Map.of(at, new OffsetAndMetadata(812))))
          .isInstanceOf(KafkaException.class)
          .hasMessage("told {3=812}");
    }
  }
}
