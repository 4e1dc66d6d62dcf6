package io.cellmesh.e2e.pair;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Topics;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.stack.demo.TripGenerator;
import io.cellmesh.topics.load.CellProducer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** What Verifying produces: every kind of record that verify tells apart. */
final class Records {
  /** Accepted by both data centres, twice each, with bodies that differ between them. */
  static final CellKey BOTH =
      new CellKey(UUID.fromString("11111111-1111-4111-8111-111111111111"), "BASE", 1);

  private final Topics topics;

  Records(Topics topics) {
    this.topics = topics;
  }

  /** Forty trips, and the cell that both data centres accept. */
  void load(DataCenter dc, long seed) throws Exception {
    var body = Body.ofJson("{\"from\":\"%s\"}".formatted(dc.name()));
    try (var trips = new TripGenerator(seed, 0, 40);
        var producer = new CellProducer(dc.kafka(), topics)) {
      producer.send(new Cell(BOTH, body, Optional.empty()), place -> {});
      producer.send(new Cell(BOTH, body, Optional.empty()), place -> {});
      producer.flush();
      for (var cell = trips.next(); cell.isPresent(); cell = trips.next()) {
        producer.send(cell.get(), place -> {});
      }
      producer.flush();
    }
  }

  /** A record that is no JSON. */
  void garbage(DataCenter dc) {
    Map<String, Object> config = Map.of("bootstrap.servers", dc.kafka().bootstrap());
    try (var producer =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      var key = BOTH.rowKey().toString().getBytes(StandardCharsets.US_ASCII);
      producer.send(new ProducerRecord<>(topics.cells(), key, new byte[] {'{'}));
      producer.flush();
    }
  }
}
