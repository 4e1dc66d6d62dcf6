package io.cellmesh.herb;

import io.cellmesh.cell.RememberedLog;
import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.deployment.peer.PeerHttp;
import io.cellmesh.deployment.wire.Batch;
import io.cellmesh.deployment.wire.BatchWriter;
import io.cellmesh.deployment.wire.Stretch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** What tests of runs over HTTP share: a run of dc2's log, and Kafka's own stand-ins behind it. */
abstract class HttpRuns {
  static final Shards SHARDS = new Shards(64, 1);
  static final RememberedLog LOG = new RememberedLog("kafka-of-dc2", "topic-id");
  static final Duration PATIENCE = Duration.ofSeconds(60);
  static final Duration LONG = Duration.ofMinutes(10);
  private static final Topology TOPOLOGY = MeshInstance.trips(SHARDS);

  /** Acknowledges nothing before it is flushed. */
  MockProducer<byte[], byte[]> mesh =
      new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());

  final MockProducer<String, String> places =
      new MockProducer<>(true, null, new StringSerializer(), new StringSerializer());
  final LinkFigures figures = new LinkFigures();
  MeshWindow window = MeshWindow.none();
  Pace pace = new Pace(OptionalInt.empty(), () -> 0);

  HttpRun run(InputStream stream, Duration silence) throws InterruptedException {
    return run(next -> stream, silence);
  }

  HttpRun run(HttpCells.Source source, Duration silence) throws InterruptedException {
    var cells = new HttpCells(source, "trips.log");
    cells.ask(Map.of(0, 5L));
    var terms = new LinkTerms("dc2", SHARDS, Set.of("dc1", "dc2"), true);
    var topic = new MeshPlaces(KafkaAccess.plain("127.0.0.1:9"), "trips.mesh-place");
    return new HttpRun(
        new LinkBegin(terms, LOG, Map.of(0, 5L), Optional.empty()),
        TOPOLOGY,
        new PeerHttp(
            "dc1",
            "trips",
            "dc2",
            URI.create("http://127.0.0.1:9"),
            Optional.empty(),
            PeerHttp.PATIENCE),
        cells,
        new MeshWriter(mesh, window),
        new LinkBounds(window, pace),
        new PlaceBook(new MeshPlaces.Writer(topic, places), "dc2", LOG),
        figures,
        silence);
  }

  Map<String, String> places() {
    var newest = new HashMap<String, String>();
    places.history().forEach(record -> newest.put(record.key(), record.value()));
    return newest;
  }

  /**
   * A batch of dc2's cells, one an offset.
   *
   * @param ids their origin ids
   */
  static Batch batch(long from, long... ids) {
    var records = new ArrayList<ConsumerRecord<byte[], byte[]>>();
    for (long id : ids) {
      records.add(cell(id, from + records.size()));
    }
    long next = from + ids.length;
    return new Batch(List.of(new Stretch(0, from, next, next)), Batch.NONE, Map.of(), records);
  }

  static ConsumerRecord<byte[], byte[]> cell(long id, long offset) {
    return Logs.cell("dc2", id, offset, SHARDS);
  }

  static byte[] bytes(Batch... batches) throws IOException {
    var bytes = new ByteArrayOutputStream();
    for (var batch : batches) {
      bytes.write(BatchWriter.write(batch));
    }
    return bytes.toByteArray();
  }
}
