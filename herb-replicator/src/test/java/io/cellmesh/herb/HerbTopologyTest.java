package io.cellmesh.herb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.EnvelopeReader;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Origin;
import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HerbTopologyTest {
  /** One partition, because the test driver has no more. */
  private static final Shards SHARDS = new Shards(64, 1);

  private static final Topics TOPICS = new Topics("trips");
  private static final Instant CREATED = Instant.parse("2026-01-31T12:00:00.123456Z");

  private final LinkFigures figures = new LinkFigures();
  private final TopologyTestDriver driver =
      new TopologyTestDriver(
          HerbTopology.of(terms("dc2", true), TOPICS, figures, MeshWindow.none()), settings());
  private final TestInputTopic<byte[], byte[]> log =
      driver.createInputTopic("trips.log", new ByteArraySerializer(), new ByteArraySerializer());
  private final TestOutputTopic<byte[], byte[]> mesh =
      driver.createOutputTopic(
          "trips.mesh", new ByteArrayDeserializer(), new ByteArrayDeserializer());
  private final TestOutputTopic<byte[], byte[]> rejected =
      driver.createOutputTopic(
          "trips.rejected", new ByteArrayDeserializer(), new ByteArrayDeserializer());

  @AfterEach
  void close() {
    driver.close();
  }

  @Test
  void aCellOfThePeerArrivesAsItIsWithItsOrigin() throws InvalidCellException {
    var record = record(UUID.randomUUID(), "dc2", 812, "{\"fare\":12.50,\"né\":[1e400,\"ü\"]}");
    send(record);

    var arrived = mesh.readRecord();
    try (var reader = new EnvelopeReader(EnvelopeReader.DEFAULT_BODY_LIMIT)) {
      var cell = reader.readMeshCell(arrived.key(), arrived.value());
      assertThat(cell.key()).isEqualTo(record.cell().key());
      assertThat(cell.body().sameAs(record.cell().body())).isTrue();
      assertThat(cell.origin()).contains(new Origin("dc2", 812));
    }
    assertThat(header(arrived, "origin")).isEqualTo("dc2");
    assertThat(header(arrived, "column")).isEqualTo("BASE");
    assertThat(mesh.isEmpty()).isTrue();
  }

  @Test
  void aCellGoesWhereKafkasOwnPartitionerPutsItsRow() {
    var partitioner = HerbTopology.byRow(new Shards(64, 16));
    for (int i = 0; i < 100; i++) {
      var key = UUID.randomUUID().toString().getBytes(StandardCharsets.UTF_8);
      assertThat(partitioner.partitions("trips.mesh", key, null, 16))
          .contains(Set.of(Utils.toPositive(Utils.murmur2(key)) % 16));
    }
    assertThatThrownBy(() -> partitioner.partitions("trips.mesh", new byte[36], null, 12))
        .isInstanceOf(HaltException.class)
        .hasMessage("trips.mesh has 12 partitions instead of 16");
  }

  @Test
  void howOldTheLastRecordWasIsToldWhoeverItsCellIsOf() throws InvalidCellException {
    assertThat(figures.lagMs()).isEmpty();
    var age = Duration.ofMinutes(7);
    log.pipeInput(new TestRecord<>(new byte[] {1}, new byte[] {2}, Instant.now().minus(age)));
    assertThat(figures.lagMs().getAsLong()).isCloseTo(age.toMillis(), within(60_000L));

    log.pipeInput(new TestRecord<>(new byte[] {1}, new byte[] {2}, Instant.now().plusSeconds(60)));
    assertThat(figures.lagMs()).hasValue(0);
  }

  @Test
  void cellsOfARebuildOfThePeersLogAreCounted() throws InvalidCellException {
    var record = record(UUID.randomUUID(), "dc2", 812, "{}");
    send(record);
    assertThat(figures.broughtRebuilt()).isZero();

    var rebuilt = withOrigin(Envelope.key(record.cell().key()), Envelope.write(record), "dc2");
    rebuilt.headers().add(Envelope.REBUILT_HEADER, new byte[] {1});
    log.pipeInput(rebuilt);
    assertThat(figures.broughtRebuilt()).isOne();
  }

  @Test
  void cellsThatThePeerHasFromElsewhereStayThereSoNothingLoops() throws InvalidCellException {
    send(record(UUID.randomUUID(), "dc1", 1, "{}"));
    send(record(UUID.randomUUID(), "dc3", 1, "{}"));
    assertThat(mesh.isEmpty()).isTrue();
  }

  @Test
  void whatThisDataCentreGivesBackIsTakenByNoPeer() throws InvalidCellException {
    send(record(UUID.randomUUID(), "dc2", 7, "{}"));
    var here = mesh.readRecord();
    // The sink here stores it, our log shows it with its origin, and the peer's link looks at it.
    var ourLog = new String(here.value(), StandardCharsets.UTF_8);
    assertThat(ourLog).contains("\"origin\":\"dc2\"");
    try (var back =
        new TopologyTestDriver(
            HerbTopology.of(
                new LinkTerms("dc1", SHARDS, Set.of("dc1", "dc2"), true),
                TOPICS,
                new LinkFigures(),
                MeshWindow.none()),
            settings())) {
      var key = new String(here.key(), StandardCharsets.UTF_8);
      int shard = SHARDS.of(key);
      var place =
          ",\"shard\":%d,\"added_id\":1,\"created_at\":\"2026-01-31T12:00:00.000001Z\"}"
              .formatted(shard);
      back.createInputTopic("trips.log", new ByteArraySerializer(), new ByteArraySerializer())
          .pipeInput(
              here.key(),
              (ourLog.substring(0, ourLog.length() - 1) + place).getBytes(StandardCharsets.UTF_8));
      assertThat(
              back.createOutputTopic(
                      "trips.mesh", new ByteArrayDeserializer(), new ByteArrayDeserializer())
                  .isEmpty())
          .isTrue();
    }
  }

  @Test
  void theOrderStaysAndAStepBackIsCountedButPassedOn() throws InvalidCellException {
    var row = UUID.randomUUID();
    for (long id : List.of(1L, 2L, 3L, 2L, 3L, 4L)) {
      send(record(row, "dc2", id, "{}"));
    }
    var ids = new ArrayList<Long>();
    for (var cell : mesh.readRecordsToList()) {
      ids.add(MeshRecord.of(withShard(cell.value(), SHARDS.of(row))).originId());
    }
    assertThat(ids).containsExactly(1L, 2L, 3L, 2L, 3L, 4L);
    assertThat(figures.counts().stepsBack()).isEqualTo(2);
    assertThat(figures.counts().taken()).isEqualTo(6);
  }

  @Test
  void aRecordThatIsNoneIsSetAsideToTheByteWithItsReasonAndTheNextOneArrives()
      throws InvalidCellException {
    var half = "{\"half\":".getBytes(StandardCharsets.UTF_8);
    log.pipeInput(new byte[] {1}, half);
    send(record(UUID.randomUUID(), "dc2", 1, "{}"));

    var aside = rejected.readRecord();
    assertThat(aside.key()).containsExactly(1);
    assertThat(aside.value()).isEqualTo(half);
    assertThat(header(aside, "__connect.errors.topic")).isEqualTo("trips.log");
    assertThat(header(aside, "__connect.errors.partition")).isEqualTo("0");
    assertThat(header(aside, "__connect.errors.offset")).isEqualTo("0");
    assertThat(header(aside, "__connect.errors.exception.message")).isEqualTo("not JSON");
    assertThat(header(aside, "__cellmesh.rejected.peer")).isEqualTo("dc2");
    assertThat(mesh.readRecordsToList()).hasSize(1);
    assertThat(figures.counts().setAside()).isEqualTo(1);
  }

  @Test
  void aDamagedRecordThatIsTooLargeForTheTopicIsToldWithItsSizeAndDigest() {
    log.pipeInput(null, new byte[4 << 20]);

    var aside = rejected.readRecord();
    assertThat(aside.value()).isNull();
    assertThat(header(aside, "__cellmesh.rejected.value.size")).isEqualTo("4194304");
    assertThat(header(aside, "__cellmesh.rejected.value.sha256")).startsWith("bb9f8df6");
    assertThat(header(aside, "__connect.errors.offset")).isEqualTo("0");
  }

  @Test
  void aCellOfAnotherDataCentreIsLeftByItsHeaderAloneAndCountedIfNobodyBringsIt() {
    var half = "{\"half\":".getBytes(StandardCharsets.UTF_8);
    log.pipeInput(withOrigin(new byte[] {1}, half, "dc3"));
    log.pipeInput(withOrigin(new byte[] {1}, half, "dc7"));

    assertThat(mesh.isEmpty()).isTrue();
    assertThat(rejected.isEmpty()).isTrue();
    assertThat(figures.unlinked()).containsExactly(Map.entry("dc7", 1L));
  }

  @Test
  void aRecordWhoseHeaderAndEnvelopeDisagreeOnItsOriginIsSetAside() throws InvalidCellException {
    var own = record(UUID.randomUUID(), "dc2", 1, "{}");
    var other = record(UUID.randomUUID(), "dc3", 1, "{}");
    log.pipeInput(withOrigin(Envelope.key(own.cell().key()), Envelope.write(own), "dc3"));
    log.pipeInput(withOrigin(Envelope.key(other.cell().key()), Envelope.write(other), "dc2"));
    log.pipeInput(withOrigin(Envelope.key(own.cell().key()), Envelope.write(own), "dc2"));

    assertThat(rejected.readRecordsToList())
        .extracting(aside -> header(aside, "__connect.errors.exception.message"))
        .containsExactly(
            "its header says that its origin is \"dc3\", its envelope says \"dc2\"",
            "its header says that its origin is \"dc2\", its envelope says \"dc3\"");
    assertThat(mesh.readRecordsToList()).hasSize(1);
  }

  @Test
  void ofAPeerThatHasNotSaidWhoItIsNoRecordIsLeftByItsHeader() {
    var doubted = new LinkFigures();
    try (var doubting =
        new TopologyTestDriver(
            HerbTopology.of(terms("dc2", false), TOPICS, doubted, MeshWindow.none()), settings())) {
      doubting
          .createInputTopic("trips.log", new ByteArraySerializer(), new ByteArraySerializer())
          .pipeInput(withOrigin(new byte[] {1}, new byte[] {2}, "dc3"));
    }
    assertThat(doubted.counts().setAside()).isEqualTo(1);
  }

  @Test
  void aCellUnderTheKeyOfAnotherRowIsSetAside() throws InvalidCellException {
    var cell = record(UUID.randomUUID(), "dc2", 1, "{}");
    var other = UUID.randomUUID();
    while (SHARDS.of(other) != cell.shard()) {
      other = UUID.randomUUID();
    }
    log.pipeInput(other.toString().getBytes(StandardCharsets.UTF_8), Envelope.write(cell));
    log.pipeInput(null, Envelope.write(cell));

    assertThat(mesh.isEmpty()).isTrue();
    assertThat(rejected.readRecordsToList())
        .hasSize(2)
        .allSatisfy(
            aside ->
                assertThat(header(aside, "__connect.errors.exception.message"))
                    .isEqualTo("its key is not its row_key"));
  }

  @Test
  void aRecordOfAnotherShardIsSetAsideWhereThePeerHasSaidHowItRoutes() throws InvalidCellException {
    send(ofOtherShards());

    assertThat(mesh.isEmpty()).isTrue();
    assertThat(header(rejected.readRecord(), "__connect.errors.exception.message"))
        .contains("must have the same shards and partitions");
  }

  @Test
  void whereThePeerHasNotSaidHowItRoutesARecordOfAnotherShardHaltsTheLink()
      throws InvalidCellException {
    var record = ofOtherShards();
    assertHalted(record, "trips.log-0 of dc2, offset 0", "must have the same shards");
  }

  @Test
  void aCellOfADataCentreWithoutALinkIsNoticedAndHaltsTheLinkIfTheLogMayBeAnothers()
      throws InvalidCellException {
    send(record(UUID.randomUUID(), "dc7", 1, "{}"));
    send(record(UUID.randomUUID(), "dc3", 1, "{}"));
    assertThat(figures.unlinked()).containsExactly(Map.entry("dc7", 1L));
    assertThat(mesh.isEmpty()).isTrue();

    assertHalted(
        record(UUID.randomUUID(), "dc7", 1, "{}"), "a cell of dc7, of which there is no link here");
  }

  @Test
  void aLogThatHasThePeersCellsFromElsewhereIsNotThePeers() throws InvalidCellException {
    var cell = record(UUID.randomUUID(), "dc2", 7, "{}");
    assertHalted(
        new LogRecord(cell.cell(), cell.shard(), 9, CREATED),
        "a cell of dc2 has origin_id 7 and added_id 9, so this is the log of another data centre");
  }

  private static TestRecord<byte[], byte[]> withOrigin(byte[] key, byte[] value, String origin) {
    var headers = new RecordHeaders().add("origin", origin.getBytes(StandardCharsets.UTF_8));
    return new TestRecord<>(key, value, headers);
  }

  /** Of a link whose peer has not said who it is. */
  private static void assertHalted(LogRecord record, String... words) {
    try (var doubting =
        new TopologyTestDriver(
            HerbTopology.of(terms("dc2", false), TOPICS, new LinkFigures(), MeshWindow.none()),
            settings())) {
      var input =
          doubting.createInputTopic(
              "trips.log", new ByteArraySerializer(), new ByteArraySerializer());
      assertThatThrownBy(
              () -> input.pipeInput(Envelope.key(record.cell().key()), Envelope.write(record)))
          .isInstanceOf(StreamsException.class)
          .rootCause()
          .isInstanceOf(HaltException.class)
          .hasMessageContainingAll(words);
    }
  }

  private static LinkTerms terms(String peer, boolean proven) {
    return new LinkTerms(peer, SHARDS, Set.of("dc1", "dc2", "dc3"), proven);
  }

  private static LogRecord ofOtherShards() throws InvalidCellException {
    var other = new Shards(128, 1);
    var row = UUID.randomUUID();
    while (other.of(row) == SHARDS.of(row)) {
      row = UUID.randomUUID();
    }
    return record(row, "dc2", 1, "{}", other);
  }

  private void send(LogRecord record) {
    log.pipeInput(Envelope.key(record.cell().key()), Envelope.write(record));
  }

  private static byte[] withShard(byte[] mesh, int shard) {
    var text = new String(mesh, StandardCharsets.UTF_8);
    return (text.substring(0, text.length() - 1) + ",\"shard\":" + shard + "}")
        .getBytes(StandardCharsets.UTF_8);
  }

  private static String header(TestRecord<byte[], byte[]> record, String name) {
    return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
  }

  private static LogRecord record(UUID row, String origin, long originId, String body)
      throws InvalidCellException {
    return record(row, origin, originId, body, SHARDS);
  }

  private static LogRecord record(
      UUID row, String origin, long originId, String body, Shards shards)
      throws InvalidCellException {
    var cell =
        new Cell(
            new CellKey(row, "BASE", originId),
            Body.ofJson(body),
            Optional.of(new Origin(origin, originId)));
    return new LogRecord(cell, shards.of(row), originId, CREATED);
  }

  private static Properties settings() {
    var settings = new Properties();
    settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
    settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "none:1");
    return settings;
  }
}
