package io.cellmesh.herb;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.cellmesh.cell.MeshIdentity;
import io.cellmesh.cell.MeshPlace;
import io.cellmesh.cell.RememberedLog;
import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.Seed;
import io.cellmesh.deployment.peer.LogAnswer;
import io.cellmesh.deployment.peer.LogQuestion;
import io.cellmesh.deployment.peer.PeerAwayException;
import io.cellmesh.deployment.peer.PeerCheckpoints;
import io.cellmesh.deployment.peer.PeerHttp;
import io.cellmesh.deployment.peer.PeerRefusedException;
import io.cellmesh.deployment.wire.BatchProgress;
import io.cellmesh.deployment.wire.BatchReader;
import io.cellmesh.devstack.Certificates;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Both ends of HTTP, without Kafka. */
class OriginServerTest {
  private static final Shards SHARDS = new Shards(64, 2);
  private static final RememberedLog LOG = new RememberedLog("kafka-of-dc2", "topic-id");

  private static final RememberedLog FOLDED = new RememberedLog("kafka-of-dc2", "checkpoint-id");
  private static final RememberedLog SEED = new RememberedLog("kafka-of-dc2", "seed-id");
  private static final Topology TOPOLOGY = MeshInstance.trips(SHARDS);

  private OriginServer server;

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  @Test
  void a_peer_learns_whose_log_it_is_and_reads_its_own_cells_from_a_place_on() throws Exception {
    start(Set.of("dc1"), Optional.empty());
    var peer = peer("dc1", "http://127.0.0.1", Optional.empty());

    assertThat(peer.describe()).isEqualTo(new FakeLog().describe());
    try (var reader =
        new BatchReader(peer.cells(new LogQuestion(LOG, Map.of(0, 5L, 1, 0L))), Logs.TOPIC)) {
      var offsets = new ArrayList<Long>();
      var progress = new BatchProgress(Map.of(0, 5L, 1, 0L));
      while (offsets.size() < 3) {
        var batch = reader.next().orElseThrow();
        progress.check(batch);
        batch.records().forEach(record -> offsets.add(record.offset()));
        progress.advance(batch);
      }
      assertThat(offsets).containsExactly(5L, 6L, 7L);
      assertThat(progress.unwritten()).isEqualTo(Map.of(0, 8L));
      // There is no end: then come those that are empty.
      assertThat(reader.next().orElseThrow().records()).isEmpty();
    }
  }

  @Test
  void a_peer_reads_what_was_folded_of_both_and_nothing_of_others() throws Exception {
    start(Set.of("dc1"), Optional.empty());
    var peer = peer("dc1", "http://127.0.0.1", Optional.empty());
    var keys = new ArrayList<String>();
    try (var checkpoints = new PeerCheckpoints(peer, TOPOLOGY)) {
      checkpoints.readToEnd((key, value) -> keys.add(new String(key, StandardCharsets.UTF_8)));
      assertThat(keys)
          .containsExactly(
              "log|dc2|1|0|0", "log|dc1|1|0|0", "mesh|dc1|1|0|0", "log|place|0", "log|start|0");
      checkpoints.readToEnd((key, value) -> keys.add("read again"));
      assertThat(keys).hasSize(5);
    }
    assertThatThrownBy(
            () ->
                new PeerCheckpoints(
                    new PeerHttp(
                        "dc1",
                        "trips",
                        "dc3",
                        URI.create("http://127.0.0.1:" + server.port()),
                        Optional.empty(),
                        PeerHttp.PATIENCE),
                    TOPOLOGY))
        .isInstanceOf(PeerRefusedException.class)
        .hasMessageContaining("is not dc3: it says that it is {\"datacenter\":\"dc2\"");
  }

  @Test
  @Timeout(60)
  void a_peer_that_sends_nothing_of_what_it_has_folded_is_away() throws Exception {
    server = OriginServer.start("127.0.0.1", 0, Optional.empty());
    server.serve(
        new FakeLog() {
          @Override
          public TopicBatches checkpoints(String peer, Map<Integer, Long> next) {
            var topic = "trips.checkpoint";
            return new TopicBatches(consumer(topic, 6), topic, TopicBatches.Filter.NONE, next);
          }
        },
        Set.of("dc1"));
    var peer = peer("dc1", "http://127.0.0.1", Optional.empty());
    try (var checkpoints = new PeerCheckpoints(peer, TOPOLOGY)) {
      assertThatThrownBy(() -> checkpoints.readToEnd((key, value) -> {}))
          .isInstanceOf(PeerAwayException.class)
          .hasMessageContaining("sends nothing of what it has folded");
    }
  }

  @Test
  void a_peer_reads_its_seed_and_no_other_ones() throws Exception {
    start(Set.of("dc1", "dc3"), Optional.empty());
    var peer = peer("dc1", "http://127.0.0.1", Optional.empty());
    var seed = peer.seed().orElseThrow();
    assertThat(seed).isEqualTo(new FakeLog().seed("dc1").orElseThrow());
    var batches = peer.seed(new LogQuestion(seed.id(), Map.of(0, 1L)));
    assertThat(batches.stream().flatMap(batch -> batch.records().stream()))
        .extracting(ConsumerRecord::offset, ConsumerRecord::topic)
        .containsExactly(tuple(1L, "trips.seed.dc1"), tuple(2L, "trips.seed.dc1"));
    assertThatThrownBy(() -> peer.seed(new LogQuestion(LOG, Map.of(0, 1L))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the seed of trips for it is {");
    assertThatThrownBy(() -> peer.seed(new LogQuestion(seed.id(), Map.of(7, 1L))))
        .isInstanceOf(PeerAwayException.class)
        .hasMessageContaining("answers 400");

    assertThat(peer("dc3", "http://127.0.0.1", Optional.empty()).seed()).isEmpty();
    var stranger = peer("dc9", "http://127.0.0.1", Optional.empty());
    assertThatThrownBy(stranger::seed).isInstanceOf(PeerRefusedException.class);
    assertThatThrownBy(stranger::describeCheckpoints).isInstanceOf(PeerRefusedException.class);
    assertThatThrownBy(() -> stranger.checkpoints(new LogQuestion(FOLDED, Map.of(0, 0L, 1, 0L))))
        .isInstanceOf(PeerRefusedException.class);
  }

  @Test
  void it_speaks_http_2() throws Exception {
    start(Set.of("dc1"), Optional.empty());
    var request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:%d/v1/trips/mesh/log".formatted(server.port())))
            .header("Cellmesh-Datacenter", "dc1")
            .build();
    var response = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    assertThat(response.version()).isEqualTo(Version.HTTP_2);
    assertThat(response.statusCode()).isEqualTo(200);
  }

  @Test
  void who_is_not_on_the_list_is_refused_in_words() {
    start(Set.of("dc3"), Optional.empty());

    assertThatThrownBy(() -> peer("dc1", "http://127.0.0.1", Optional.empty()).describe())
        .isInstanceOf(PeerRefusedException.class)
        .hasMessageContaining("does not let dc1 read")
        .hasMessageContaining("\"dc1\" is not among those who may read here (mesh.serve.allow)");
    assertThatThrownBy(
            () -> peer("dc1", "http://127.0.0.1", Optional.empty()).cells(question(Map.of())))
        .isInstanceOf(PeerRefusedException.class);
  }

  @Test
  void a_place_in_another_log_or_of_other_partitions_is_refused() {
    start(Set.of("dc1"), Optional.empty());
    var peer = peer("dc1", "http://127.0.0.1", Optional.empty());

    assertThatThrownBy(
            () ->
                peer.cells(
                    new LogQuestion(
                        new RememberedLog("kafka-of-dc2", "made again"), Map.of(0, 0L, 1, 0L))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("made again");
    for (var next : List.of(Map.<Integer, Long>of(), Map.of(0, 0L, 2, 0L))) {
      assertThatThrownBy(() -> peer.cells(question(next)))
          .isInstanceOf(PeerAwayException.class)
          .hasMessageContaining(
              "answers 400: next must name an offset of each partition that is wanted, of 0 to 1");
    }
  }

  @Test
  void an_instance_that_is_not_there_and_a_kafka_that_is_away_are_waited_for() {
    start(Set.of("dc1"), Optional.empty());
    var url = URI.create("http://127.0.0.1:" + server.port());

    assertThatThrownBy(
            () ->
                new PeerHttp("dc1", "riders", "dc2", url, Optional.empty(), PeerHttp.PATIENCE)
                    .describe())
        .isInstanceOf(PeerAwayException.class)
        .hasMessageContaining("answers 404: there is no such instance here");
    FakeLog.away = true;
    try {
      assertThatThrownBy(() -> peer("dc1", "http://127.0.0.1", Optional.empty()).describe())
          .isInstanceOf(PeerAwayException.class)
          .hasMessageContaining("answers 503: Kafka does not answer");
    } finally {
      FakeLog.away = false;
    }
  }

  @Test
  @Timeout(60)
  void whoever_stops_in_the_middle_of_an_answer_is_away() throws Exception {
    try (var listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var stalling = new Thread(() -> beginAnswer(listener));
      stalling.setDaemon(true);
      stalling.start();
      var url = URI.create("http://127.0.0.1:" + listener.getLocalPort());
      var peer = new PeerHttp("dc1", "trips", "dc2", url, Optional.empty(), Duration.ofSeconds(2));
      assertThatThrownBy(peer::describe)
          .isInstanceOf(PeerAwayException.class)
          .hasMessageContaining("does not answer");
    }
  }

  /** Promises more than it sends; whoever asked closes the connection. */
  private static void beginAnswer(ServerSocket listener) {
    try (var connection = listener.accept()) {
      connection
          .getOutputStream()
          .write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{".getBytes(US_ASCII));
      connection.getInputStream().transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      // The test is over.
    }
  }

  @Test
  void over_tls_the_certificate_says_who_asks_and_nobody_reads_without_one(@TempDir Path dir)
      throws Exception {
    var own = Certificates.make(dir.resolve("own"));
    var strange = Certificates.make(dir.resolve("strange"));
    start(Set.of("Cellmesh devstack"), Optional.of(context(own, Optional.of(own))));

    var peer = peer("whatever", "https://localhost", Optional.of(context(own, Optional.of(own))));
    assertThat(peer.describe().identity().datacenter()).isEqualTo("dc2");
    assertThatThrownBy(
            () ->
                peer("dc1", "https://localhost", Optional.of(context(own, Optional.empty())))
                    .describe())
        .isInstanceOf(PeerAwayException.class);
    assertThatThrownBy(
            () ->
                peer("dc1", "https://localhost", Optional.of(context(own, Optional.of(strange))))
                    .describe())
        .isInstanceOf(PeerAwayException.class);
    assertThatThrownBy(
            () ->
                peer("dc1", "https://localhost", Optional.of(context(strange, Optional.of(own))))
                    .describe())
        .isInstanceOf(PeerAwayException.class);

    server.close();
    start(Set.of("dc1"), Optional.of(context(own, Optional.of(own))));
    assertThatThrownBy(
            () ->
                peer("dc1", "https://localhost", Optional.of(context(own, Optional.of(own))))
                    .describe())
        .isInstanceOf(PeerRefusedException.class)
        .hasMessageContaining("\"Cellmesh devstack\" is not among those who may read here");
  }

  @Test
  void the_common_name_is_found_in_any_certificate_and_nothing_else_is_taken_for_it() {
    assertThat(Callers.commonName("CN=dc1,O=Cells,C=DE")).contains("dc1");
    assertThat(Callers.commonName("O=CN\\=dc9,CN=dc1")).contains("dc1");
    assertThat(Callers.commonName("O=dc1")).isEmpty();
    assertThat(Callers.commonName("no name")).isEmpty();
  }

  private void start(Set<String> allowed, Optional<SSLContext> tls) {
    server = OriginServer.start("127.0.0.1", 0, tls);
    server.serve(new FakeLog(), allowed);
  }

  private PeerHttp peer(String self, String host, Optional<SSLContext> tls) {
    return new PeerHttp(
        self,
        "trips",
        "dc2",
        URI.create("%s:%d".formatted(host, server.port())),
        tls,
        PeerHttp.PATIENCE);
  }

  private static LogQuestion question(Map<Integer, Long> next) {
    return new LogQuestion(LOG, next);
  }

  private static SSLContext context(Certificates trusted, Optional<Certificates> own)
      throws Exception {
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store(trusted, "truststore.p12"));
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    if (own.isPresent()) {
      keys.init(store(own.get(), "keystore.p12"), own.get().trustStorePassword().toCharArray());
    } else {
      keys.init(null, null);
    }
    var context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  private static KeyStore store(Certificates of, String name) throws Exception {
    var store = KeyStore.getInstance("PKCS12");
    try (var in = Files.newInputStream(of.dir().resolve(name))) {
      store.load(in, of.trustStorePassword().toCharArray());
    }
    return store;
  }

  /** Three cells of dc2 from offset 5 on, with one of dc1 between them. */
  private static class FakeLog implements OwnLog {
    private static volatile boolean away;

    @Override
    public String instance() {
      return "trips";
    }

    @Override
    public int partitions() {
      return SHARDS.partitions();
    }

    @Override
    public LogAnswer describe() {
      if (away) {
        throw new KafkaException("Kafka does not answer");
      }
      return new LogAnswer(
          new MeshIdentity("dc2", "trips", SHARDS), LOG, 1, List.of(0L, 0L), List.of(8L, 0L));
    }

    @Override
    public TopicBatches open(Map<Integer, Long> next) {
      var consumer = consumer(Logs.TOPIC, 8);
      var cells = new TopicBatches(consumer, Logs.TOPIC, new OwnCells("dc2"), next);
      for (int offset = 5; offset < 8; offset++) {
        var cell = Logs.cell("dc2", offset, offset, new Shards(64, 1));
        consumer.addRecord(Logs.record(0, offset, cell.key(), cell.value(), Optional.of("dc2")));
      }
      return cells;
    }

    @Override
    public LogAnswer describeCheckpoints() {
      return new LogAnswer(
          new MeshIdentity("dc2", "trips", SHARDS), FOLDED, 1, List.of(0L, 0L), List.of(6L, 0L));
    }

    @Override
    public TopicBatches checkpoints(String peer, Map<Integer, Long> next) {
      var topic = "trips.checkpoint";
      var consumer = consumer(topic, 6);
      var batches = new TopicBatches(consumer, topic, new SharedCheckpoints("dc2", peer), next);
      var keys =
          List.of(
              "log|dc2|1|0|0",
              "log|dc1|1|0|0",
              "mesh|dc1|1|0|0",
              "mesh|dc3|1|0|0",
              "log|place|0",
              "log|start|0");
      for (int offset = next.get(0).intValue(); offset < keys.size(); offset++) {
        consumer.addRecord(record(topic, offset, keys.get(offset)));
      }
      return batches;
    }

    @Override
    public Optional<Seed> seed(String peer) {
      var part = new Seed.Part(0, Optional.of(new MeshPlace(LOG, 7)), true, Optional.empty(), 0, 3);
      var empty = new Seed.Part(1, Optional.empty(), false, Optional.empty(), 0, 0);
      return peer.equals("dc1")
          ? Optional.of(new Seed(SEED, List.of(part, empty)))
          : Optional.empty();
    }

    @Override
    public LogAnswer describeSeed(String peer) {
      return new LogAnswer(
          new MeshIdentity("dc2", "trips", SHARDS), SEED, 1, List.of(0L, 0L), List.of(3L, 0L));
    }

    @Override
    public TopicBatches seed(String peer, Map<Integer, Long> next) {
      var topic = "trips.seed." + peer;
      var consumer = consumer(topic, 3);
      var batches = new TopicBatches(consumer, topic, TopicBatches.Filter.NONE, next);
      for (int offset = next.get(0).intValue(); offset < 3; offset++) {
        consumer.addRecord(record(topic, offset, null));
      }
      return batches;
    }

    static MockConsumer<byte[], byte[]> consumer(String topic, long end) {
      var at = new TopicPartition(topic, 0);
      var other = new TopicPartition(topic, 1);
      var consumer = new MockConsumer<byte[], byte[]>("none");
      consumer.updateBeginningOffsets(Map.of(at, 0L, other, 0L));
      consumer.updateEndOffsets(Map.of(at, end, other, 0L));
      return consumer;
    }

    private static ConsumerRecord<byte[], byte[]> record(String topic, long offset, String key) {
      var bytes = key == null ? null : key.getBytes(StandardCharsets.UTF_8);
      return new ConsumerRecord<>(topic, 0, offset, bytes, new byte[] {(byte) offset});
    }
  }
}
