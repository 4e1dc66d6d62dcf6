package io.cellmesh.connect.sink;

import static io.cellmesh.connect.sink.TwoClusters.TOPOLOGY;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.connect.sink.base.MetricsHome;
import io.cellmesh.connect.sink.base.Original;
import io.cellmesh.connect.sink.base.RejectionsForTests;
import io.cellmesh.storage.ConflictLedger;
import io.cellmesh.storage.Decision;
import io.cellmesh.storage.Decision.Place;
import io.cellmesh.storage.Position;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class ConflictTellerTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  private final AtomicInteger turns = new AtomicInteger();

  @Test
  void a_consumer_that_does_not_close_well_is_not_the_end_of_telling() {
    try (var metrics = new SinkMetrics(MetricsHome.nowhere(), TOPOLOGY);
        var teller =
            new ConflictTeller(
                TOPOLOGY,
                new NothingToTell(),
                RejectionsForTests.through(letter -> {}),
                topic -> new UUID(0, 1),
                new Unclosable(),
                System::nanoTime,
                metrics)) {
      teller.start(Duration.ofMillis(5), () -> Set.of(0));
      await().atMost(SOON).until(() -> turns.get() > 3);
      assertThatCode(teller::check).doesNotThrowAnyException();
    }
  }

  private final class Unclosable implements RecordSource {
    @Override
    public Optional<Original> at(TopicPartition at, long offset) {
      return Optional.empty();
    }

    @Override
    public void close() {
      turns.incrementAndGet();
      throw new KafkaException("Failed to close kafka consumer");
    }
  }

  private static final class NothingToTell implements ConflictLedger {
    @Override
    public long countUntold(StorageCluster primary) {
      return 0;
    }

    @Override
    public List<Decision> untold(
        StorageCluster primary, Map<Integer, Position> reached, int limit) {
      return List.of();
    }

    @Override
    public Set<Place> decided(Server server, Collection<Place> places) {
      return Set.of();
    }

    @Override
    public void told(StorageCluster primary, Collection<Place> places) {}
  }
}
