package io.cellmesh.herb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.LinkHold;
import io.cellmesh.cell.LinkHold.Kind;
import io.cellmesh.cell.LogGeneration;
import io.cellmesh.cell.MeshIdentity;
import io.cellmesh.cell.MeshPlace;
import io.cellmesh.cell.RememberedLog;
import io.cellmesh.cell.SeedMark;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.cell.proof.Agreement;
import io.cellmesh.cell.proof.Verdict;
import io.cellmesh.deployment.MeshAccess;
import io.cellmesh.deployment.peer.PeerHttp;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.herb.CuttingProxy.Break;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.producer.ProducerRecord;

/** An instance that is but topics in two data centres, and dc1's link to dc2. */
final class LinkedInstance extends MeshInstance {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /** Small, so that it is soon full where a sink is known. */
  static final int WINDOW = 10;

  private static final LinkTuning TUNING = new LinkTuning(2, "zstd", 0, LinkLimits.ALONE);

  private static final Verdict NOTHING = new Agreement("dc2", MeshInstance.SHARDS).verdict();

  private static final Break[] BREAKS = {
    Break.RESET, Break.STALLED, Break.HALF_CLOSED, Break.RESET, Break.HALF_CLOSED, Break.RESET
  };

  /** After which a peer is away on a way that stalls. */
  private static final Duration SHORT = Duration.ofSeconds(4);

  /** The ways in which a link reads. */
  enum Way {
    KAFKA,
    HTTP,
    /** Over HTTP, on a way whose connections are reset, half closed and stalled. */
    BROKEN
  }

  /**
   * A seed of all cells that there were.
   *
   * @param log where that goes on
   */
  record SeedOfAll(Map<Integer, Long> log, List<ProducerRecord<byte[], byte[]>> cells) {}

  private final List<ProducerRecord<byte[], byte[]>> own = new ArrayList<>();
  final CommittingSink sink;
  Way way;
  Set<String> allowed = Set.of("dc1");
  OriginServer server;
  CuttingProxy proxy;
  PeerLink link;
  private Proof proof;
  private final AutoCloseable closing = this::end;
  private final List<AutoCloseable> opened;
  private final SharedTurns turns;

  /**
   * Creates its topics.
   *
   * @param opened gets what is to be closed, the last one first
   */
  LinkedInstance(
      DevStack stack, String name, Way way, List<AutoCloseable> opened, SharedTurns turns) {
    super(stack, name + "_" + way.name().toLowerCase(Locale.ROOT));
    this.way = way;
    this.opened = opened;
    this.turns = turns;
    this.sink = new CommittingSink(kafka("dc1"), topics);
    create("dc1", topics.meshPlace(), 1);
    create("dc1", topics.cells(), 16);
    create("dc2", topics.meshPlace(), 1);
    introduce();
  }

  Topology topology(String dc) {
    return TopologyYaml.parse(yaml(dc));
  }

  PeerLink link() throws Exception {
    return link("dc2", "dc2");
  }

  /**
   * Starts a link of dc1.
   *
   * @param peer whom it wants
   * @param at whose address it has
   */
  PeerLink link(String peer, String at) throws Exception {
    unlink();
    var transport = way == Way.KAFKA ? overKafka(peer, at) : overHttp(peer, at);
    var holds = new HoldWatch(kafka("dc1"), topics.meshPlace(), turns);
    opened.add(holds::end);
    holds.start();
    link =
        new PeerLink(
            topics.instance(),
            peer,
            transport,
            () -> holds.of(peer),
            new Stagger(),
            new Backlogs(MeshAccess.SHARE, 16 * WINDOW));
    opened.add(0, closing);
    link.start();
    return link;
  }

  /** Makes sure of dc2, as a link does that begins. */
  LinkBegin begin() throws Exception {
    return start("dc2", KafkaTransport.door(topology("dc1"), kafka("dc1"), dc2())).run();
  }

  /**
   * Starts a run over Kafka.
   *
   * @param silence after which dc2 is away
   */
  Transport.Run run(Duration silence) throws Exception {
    var begin = begin();
    return new LinkRun(
        begin.terms(),
        topology("dc1"),
        dc2(),
        kafka("dc1"),
        TUNING,
        new PlaceBook(
            new MeshPlaces(kafka("dc1"), topics.meshPlace()).writer(), "dc2", begin.log()),
        new LinkBounds(windows().make(), new Pace(OptionalInt.empty(), () -> 0)),
        new LinkFigures(),
        silence);
  }

  /**
   * The consumer of a link's thread.
   *
   * @param lateness after which the group goes on without it
   */
  PlacingConsumer consumer(MeshWindow window, Duration lateness) {
    var settings = kafka("dc2").client();
    settings.put("group.id", KafkaTransport.group(topology("dc1")));
    settings.put("enable.auto.commit", false);
    settings.put("max.poll.interval.ms", Math.toIntExact(lateness.toMillis()));
    return new PlacingConsumer(
        settings,
        OthersLeftOut.of(Logs.TERMS),
        places -> {},
        new LinkBounds(window, new Pace(OptionalInt.empty(), () -> 0)),
        new LogBehind());
  }

  /** How many read dc2 over Kafka for dc1. */
  int members() throws InterruptedException {
    var group = KafkaTransport.group(topology("dc1"));
    try (var admin = KafkaAnswer.admin(kafka("dc2"))) {
      var described = admin.describeConsumerGroups(List.of(group)).describedGroups().get(group);
      return KafkaAnswer.of(described, group).members().size();
    }
  }

  private Peer dc2() {
    return new Peer(topics.instance(), "dc2", kafka("dc2"));
  }

  private Transport overKafka(String name, String at) {
    var here = kafka("dc1");
    var peer = new Peer(topics.instance(), name, kafka(at));
    return new KafkaTransport(
        topology("dc1"),
        here,
        peer,
        TUNING,
        windows(),
        start(name, KafkaTransport.door(topology("dc1"), here, peer)));
  }

  private Transport overHttp(String name, String at) throws Exception {
    server = OriginServer.start("127.0.0.1", 0, Optional.empty());
    server.serve(new KafkaLog(topology(at), kafka(at), 8 << 20), allowed);
    opened.add(server);
    proxy = new CuttingProxy(server.port());
    opened.add(proxy);
    if (way == Way.BROKEN) {
      proxy.breakNext(new Random(topics.instance().hashCode()), 8_000, BREAKS);
    }
    var peer = peer(name);
    return new HttpTransport(
        topology("dc1"),
        kafka("dc1"),
        peer,
        "lz4",
        0,
        LinkLimits.ALONE,
        windows(),
        start(name, HttpTransport.door(topology("dc1"), peer)));
  }

  private PeerHttp peer(String name) {
    var url = URI.create("http://127.0.0.1:" + proxy.port());
    var patience = way == Way.BROKEN ? SHORT : PeerHttp.PATIENCE;
    return new PeerHttp("dc1", topics.instance(), name, url, Optional.empty(), patience);
  }

  /** How often its way has broken since the link began; none of that over Kafka. */
  int breaks() {
    return proxy == null ? 0 : (int) proxy.cuts();
  }

  MeshWindow.Maker windows() {
    return new SinkWatch(kafka("dc1"), topics, SHARDS, WINDOW, 0, turns)::window;
  }

  private LinkStart start(String peer, PeerSide.Door door) {
    return new LinkStart(
        topology("dc1"), kafka("dc1"), peer, Set.of("dc1", peer), new ConcurrentHashMap<>(), door);
  }

  /** Has both data centres fold what they have, and dc1 compare. */
  void prove() {
    start(new Proof(topology("dc2"), kafka("dc2"), List.of(), turns));
    var side =
        way == Way.KAFKA
            ? PeerProof.Side.of(kafka("dc2"), topology("dc1"))
            : PeerProof.Side.of(peer("dc2"), topology("dc1"));
    var compared = new PeerProof(topology("dc1"), kafka("dc1"), "dc2", side);
    proof = new Proof(topology("dc1"), kafka("dc1"), List.of(compared), turns);
    start(proof);
  }

  private void start(Proof part) {
    part.start();
    opened.add(
        0,
        () -> {
          part.end();
          part.awaitEnd(PATIENCE);
        });
  }

  /** What the comparison has found; nothing before the first. */
  Verdict verdict() {
    return proof.report().peers().get(0).verdict().orElse(NOTHING);
  }

  /** Says as a person does that the link stands still, or that it goes on. */
  void hold(Optional<Kind> kind) {
    new MeshPlaces(kafka("dc1"), topics.meshPlace())
        .write(
            LinkHold.key("dc2"),
            kind.map(k -> new LinkHold(k, Instant.EPOCH, "anna@ops1").toJson()).orElse(null));
  }

  void unlink() throws InterruptedException {
    if (link != null) {
      end();
      opened.remove(closing);
    }
  }

  private void end() throws InterruptedException {
    link.end();
    assertThat(link.awaitEnd(PATIENCE)).isTrue();
  }

  /** Says in dc2 who that is, as its own application does. */
  private void introduce() {
    new MeshPlaces(kafka("dc2"), topics.meshPlace())
        .write("dc2", MeshIdentity.of(topology("dc2")).toJson());
  }

  /** Says in dc2 that its log is made again, as a rebuild does. */
  void generation(int number) {
    new MeshPlaces(kafka("dc2"), topics.meshPlace())
        .write(LogGeneration.key("dc2"), Integer.toString(number));
  }

  /** Cells of dc2's own and, between them, some that dc2 has from dc1, and from elsewhere. */
  void send(int count) throws Exception {
    try (var producer = producer()) {
      for (int i = 0; i < count; i++) {
        producer.send(log("dc2"));
        if (i % 5 == 0) {
          producer.send(log("dc1"));
        }
        if (i % 10 == 0) {
          producer.send(log("dc7"));
        }
      }
    }
  }

  @Override
  ProducerRecord<byte[], byte[]> log(String origin) throws Exception {
    var record = super.log(origin);
    record.headers().add(Envelope.ORIGIN_HEADER, origin.getBytes(StandardCharsets.UTF_8));
    if (origin.equals("dc2")) {
      own.add(record);
    }
    return record;
  }

  /** What a seed is to have, if it is begun now. */
  SeedOfAll seed() {
    return new SeedOfAll(ends(), List.copyOf(own));
  }

  /** Writes where the log goes on. */
  void begin(SeedOfAll seed) throws Exception {
    mark(seed, false);
  }

  /** Writes the cells, and that these are all. */
  void complete(SeedOfAll seed) throws Exception {
    try (var producer = producer()) {
      for (var cell : seed.cells()) {
        producer.send(
            new ProducerRecord<>(topics.seed("dc1"), cell.partition(), cell.key(), cell.value()));
      }
    }
    mark(seed, true);
  }

  private RememberedLog dc2sLog() throws InterruptedException {
    try (var admin = KafkaAnswer.admin(kafka("dc2"))) {
      var log = KafkaAnswer.topic(admin, topics.log(), kafka("dc2"));
      return new RememberedLog(KafkaAnswer.cluster(admin), log.topicId().toString());
    }
  }

  private void mark(SeedOfAll seed, boolean end) throws Exception {
    var log = dc2sLog();
    try (var producer = producer()) {
      seed.log()
          .forEach(
              (partition, next) -> {
                var mark = new SeedMark(end, new MeshPlace(log, next)).toJson();
                producer.send(
                    new ProducerRecord<>(
                        topics.seed("dc1"),
                        partition,
                        null,
                        mark.getBytes(StandardCharsets.UTF_8)));
              });
    }
  }

  /** What the command does where it does not reach the peer's brokers. */
  void accept() {
    new MeshPlaces(kafka("dc1"), topics.meshPlace())
        .write(MeshPlace.acceptKey("dc2"), Instant.now().toString());
  }

  /** Until each of some partitions has so much that no poll fits beside it; none has more. */
  void awaitWindows(int from, int to, long most) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              var ends = meshEnds();
              for (int partition = from; partition < to; partition++) {
                assertThat(ends.get(partition))
                    .as("partition %d", partition)
                    .isBetween(most - 4, most);
              }
            });
  }

  /** A link brings cells that are sent now, and ends at the end of the log. */
  void bring(int cells) throws Exception {
    send(cells);
    link();
    awaitArrived(cells);
    awaitPlaces();
    unlink();
  }

  /** Until the places that are kept are the ends of the log. */
  void awaitPlaces() {
    await().atMost(PATIENCE).until(() -> places().equals(ends()));
  }

  void awaitArrived(int cells) {
    // All of them are read for that, so not before there are as many.
    await()
        .atMost(PATIENCE)
        .until(() -> count("dc1", topics.mesh()) >= cells && distinct().size() >= cells);
  }
}
