package io.cellmesh.herb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.MeshIdentity;
import io.cellmesh.cell.RememberedLog;
import io.cellmesh.cell.Shards;
import io.cellmesh.devstack.Certificates;
import io.cellmesh.herb.wire.BatchReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Both ends of HTTP, without Kafka. */
class OriginServerTest {
  private static final Shards SHARDS = new Shards(64, 2);
  private static final RememberedLog LOG = new RememberedLog("kafka-of-dc2", "topic-id");

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
      var progress = new LinkProgress(Map.of(0, 5L, 1, 0L));
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
        .isInstanceOf(HaltException.class)
        .hasMessageContaining("does not let dc1 read")
        .hasMessageContaining("\"dc1\" is not among those who may read here (mesh.serve.allow)");
    assertThatThrownBy(
            () -> peer("dc1", "http://127.0.0.1", Optional.empty()).cells(question(Map.of())))
        .isInstanceOf(HaltException.class);
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

    assertThatThrownBy(() -> new PeerHttp("dc1", "riders", "dc2", url, Optional.empty()).describe())
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
        .isInstanceOf(HaltException.class)
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
        self, "trips", "dc2", URI.create("%s:%d".formatted(host, server.port())), tls);
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
  private static final class FakeLog implements OwnLog {
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
          new MeshIdentity("dc2", "trips", SHARDS), LOG, List.of(0L, 0L), List.of(8L, 0L));
    }

    @Override
    public OwnCells open(Map<Integer, Long> next) {
      var at = new TopicPartition(Logs.TOPIC, 0);
      var consumer = new MockConsumer<byte[], byte[]>("none");
      var cells = new OwnCells(consumer, Logs.TOPIC, "dc2", next);
      consumer.updateBeginningOffsets(Map.of(at, 0L));
      consumer.updateEndOffsets(Map.of(at, 8L, new TopicPartition(Logs.TOPIC, 1), 0L));
      for (int offset = 5; offset < 8; offset++) {
        var cell = Logs.cell("dc2", offset, offset, new Shards(64, 1));
        consumer.addRecord(Logs.record(0, offset, cell.key(), cell.value(), Optional.of("dc2")));
      }
      return cells;
    }
  }
}
