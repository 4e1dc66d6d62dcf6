package io.cellmesh.herb;

import static io.cellmesh.herb.LinkedInstance.WINDOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.LinkHold.Kind;
import io.cellmesh.cell.proof.FoldSource;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.herb.LinkHealth.State;
import io.cellmesh.herb.LinkedInstance.Way;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.ResourceLockTarget;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a link does, whichever way it reads, between two real brokers. */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(
    value = TransportIT.BROKERS,
    mode = ResourceAccessMode.READ,
    target = ResourceLockTarget.CHILDREN)
class TransportIT {
  static final String BROKERS = "brokers of TransportIT";

  private static final Duration PATIENCE = Duration.ofSeconds(90);

  @TempDir static Path dir;

  private static DevStack stack;

  /** What a test has opened, the last one first. */
  private final List<AutoCloseable> opened = new ArrayList<>();

  private final SharedTurns turns = new SharedTurns();

  /** A test for each way that does not break. */
  @Retention(RetentionPolicy.RUNTIME)
  @ParameterizedTest
  @EnumSource(
      value = Way.class,
      names = {"KAFKA", "HTTP"})
  private @interface OverEachWay {}

  @BeforeAll
  static void start() throws Exception {
    Awaitility.setDefaultPollInterval(Duration.ofMillis(250));
    stack = MeshInstance.brokers(dir.resolve("stack"));
  }

  @AfterEach
  void end() throws Exception {
    for (var open : opened) {
      open.close();
    }
    turns.close();
  }

  @AfterAll
  static void stop() {
    Awaitility.reset();
    stack.close();
  }

  @OverEachWay
  void a_link_keeps_a_window_of_what_the_sink_has_not_passed_in_each_partition(Way way)
      throws Exception {
    var floods = instance("floods", way);
    floods.sink.passed(0, 16, 0);
    floods.send(1_000);
    var link = floods.link();
    await().atMost(PATIENCE).until(() -> link.health().window().full() == 16);
    floods.awaitWindows(0, 16, WINDOW);

    // It goes on where the sink does, and nowhere else.
    floods.sink.passed(3, 4, WINDOW);
    await().atMost(PATIENCE).until(() -> floods.meshEnds().get(3) > WINDOW);
    await().atMost(PATIENCE).until(() -> link.health().window().full() == 16);
    floods.awaitWindows(3, 4, 2 * WINDOW);
    floods.awaitWindows(0, 3, WINDOW);
    floods.awaitWindows(4, 16, WINDOW);
    // It joins its group again as often as another of its threads does.
    await().atMost(PATIENCE).until(() -> link.health().isUp());

    // One that begins anew has no second window.
    floods.unlink();
    var again = floods.link();
    await().atMost(PATIENCE).until(() -> again.health().window().full() == 16);
    floods.awaitWindows(0, 3, WINDOW);
    floods.awaitWindows(4, 16, WINDOW);

    floods.sink.passed(0, 16, Long.MAX_VALUE);
    floods.awaitPlaces();
    floods.assertInOrder(1 + floods.breaks());
    assertThat(floods.distinct()).hasSize(1_000);
    await().atMost(PATIENCE).until(() -> again.health().window().full() == 0);
  }

  @OverEachWay
  void a_link_with_a_backlog_keeps_to_a_share_while_own_cells_come(Way way) throws Exception {
    var shares = instance("shares", way);
    shares.sink.passed(0, 16, 0);
    shares.send(48_000);
    var link = shares.link();
    // A sink that passes some of each partition, however fast the machine is so few that what is
    // left takes more than five minutes: less is not held. And none of its own cells at first.
    var step = Duration.ofMillis(130);
    var passed = new AtomicLong();
    await()
        .pollInterval(step)
        .during(Duration.ofSeconds(6))
        .atMost(PATIENCE)
        .until(
            () -> {
              shares.sink.passed(0, 16, passed.incrementAndGet());
              assertThat(link.health().pace()).isEmpty();
              return true;
            });
    var own = new AtomicLong();
    await()
        .pollInterval(step)
        .atMost(PATIENCE)
        .until(
            () -> {
              shares.sink.passed(0, 16, passed.incrementAndGet());
              shares.sink.passedOwn(own.incrementAndGet());
              return link.health().pace().isPresent();
            });
    shares.sink.passed(0, 16, Long.MAX_VALUE);
    shares.awaitArrived(48_000);
    await().atMost(PATIENCE).until(() -> link.health().pace().isEmpty());
  }

  /** While nothing is read the peer's brokers answer heartbeats, and nothing else. */
  @Test
  void a_link_whose_windows_are_all_full_is_not_taken_for_one_whose_peer_is_silent()
      throws Exception {
    var waiting = instance("waiting", Way.KAFKA);
    waiting.sink.passed(0, 16, 0);
    waiting.send(1_000);
    var silence = Duration.ofSeconds(10);
    try (var run = waiting.run(silence)) {
      await().atMost(PATIENCE).until(() -> run.bounds().window().state().full() == 16);
      // They are not while a thread of it joins the group again.
      await()
          .atMost(PATIENCE)
          .during(silence.multipliedBy(3).dividedBy(2))
          .until(
              () -> {
                assertThat(run.awaitFailure(Duration.ofMillis(100))).isEmpty();
                return run.bounds().window().state().full() == 16;
              });
    }
  }

  /** Whoever joins late loses its partitions, and has them back before its poll returns. */
  @Test
  void what_was_read_of_a_partition_before_it_was_lost_takes_no_room_when_it_is_back()
      throws Exception {
    var lost = instance("lost", Way.KAFKA);
    lost.sink.passed(0, 16, 0);
    lost.send(1_000);
    lost.begin();
    var window = lost.windows().make();
    var lateness = Duration.ofSeconds(2);
    var rebalances = new ArrayList<String>();
    try (var consumer = lost.consumer(window, lateness)) {
      consumer.subscribe(List.of(lost.topics.log()), new Rebalances(rebalances));
      for (int round = 1; round <= 3; round++) {
        var records = consumer.poll(PATIENCE);
        assertThat(records.isEmpty()).isFalse();
        assertThat(rebalances).as("in a single poll").hasSize(2 * round - 1);
        for (var at : records.partitions()) {
          assertThat(window.hasRoom(at.partition(), WINDOW - records.records(at).size()))
              .as("partition %d in round %d", at.partition(), round)
              .isTrue();
        }
        await().atMost(PATIENCE).until(() -> lost.members() == 0);
      }
    }
  }

  @OverEachWay
  void the_peers_own_cells_arrive_in_order_and_damage_is_set_aside(Way way) throws Exception {
    var trips = instance("trips", way);
    var link = trips.link();
    trips.send(300);
    try (var producer = trips.producer()) {
      producer.send(new ProducerRecord<>(trips.topics.log(), 3, new byte[] {7}, new byte[] {8}));
    }
    trips.send(300);
    trips.awaitArrived(600);
    await().atMost(PATIENCE).until(() -> trips.count("dc1", trips.topics.rejected()) == 1);
    trips.awaitPlaces();
    await().atMost(PATIENCE).until(() -> link.health().isUp());

    var health = link.health();
    assertThat(health.counts()).isEqualTo(new LinkFigures.Counts(0, 1, 0, 600));
    assertThat(health.unlinked()).isEqualTo(Map.of("dc7", 60L));
    assertThat(health.lagMs()).isPresent();
    await().atMost(PATIENCE).until(() -> link.health().behind() == 0);
    trips.assertInOrder(0);
  }

  @OverEachWay
  void a_link_goes_on_at_the_place_that_is_kept_here_and_repeats_nothing(Way way) throws Exception {
    var idle = instance("idle", way);
    idle.bring(100);
    if (way == Way.KAFKA) {
      idle.forget();
    }
    idle.send(50);

    idle.link();
    idle.awaitArrived(150);
    assertThat(idle.arrived()).hasSize(150);
  }

  @Test
  void a_link_that_reads_another_way_from_now_on_goes_on_where_it_stands() throws Exception {
    var moved = instance("moved", Way.KAFKA);
    moved.bring(100);

    moved.way = Way.HTTP;
    moved.send(50);
    moved.link();
    moved.awaitArrived(150);
    moved.awaitPlaces();
    moved.unlink();

    moved.way = Way.KAFKA;
    moved.send(50);
    moved.link();
    moved.awaitArrived(200);
    assertThat(moved.arrived()).hasSize(200);
  }

  @OverEachWay
  void what_expired_unread_halts_the_link_until_that_is_accepted(Way way) throws Exception {
    var expired = instance("expired", way);
    expired.bring(100);
    expired.send(100);
    expired.cut();
    expired.send(100);

    var link = expired.link();
    awaitHalt(
        link,
        "the log of dc2 has not all that comes next: %s-0: records "
            .formatted(expired.topics.log()),
        "expired before they were read",
        "to go on without what is lost: `cellmesh mesh accept --dc dc1 --peer dc2`");
    assertThat(expired.arrived()).hasSize(100);

    expired.accept();
    expired.awaitArrived(200);
    await().atMost(PATIENCE).until(() -> link.health().isGood());
  }

  @OverEachWay
  void a_link_whose_peers_log_was_cut_waits_for_the_seed_and_reads_it_before_the_log(Way way)
      throws Exception {
    var cut = instance("cut", way);
    cut.create("dc2", cut.topics.seed("dc1"), MeshInstance.SHARDS.partitions());
    cut.send(100);
    var seed = cut.seed();
    cut.send(50);
    cut.cut(seed.log());
    var link = cut.link();
    awaitHalt(link, "partition 0 of the seed that dc2 has for dc1 is not begun");
    assertThat(cut.arrived()).isEmpty();

    cut.begin(seed);
    awaitHalt(link, "partition 0 of the seed that dc2 has for dc1 is not complete");
    cut.complete(seed);
    cut.awaitArrived(150);
    cut.awaitPlaces();
    if (way != Way.BROKEN) {
      assertThat(cut.arrived()).as("the seed is not read twice").hasSize(150);
    }
    cut.assertInOrder(cut.breaks());
  }

  @OverEachWay
  void what_a_peer_has_folded_is_compared_whichever_way_it_is_read(Way way) throws Exception {
    var proved = instance("proved", way);
    for (var dc : List.of("dc1", "dc2")) {
      proved.create(dc, proved.topics.checkpoint(), MeshInstance.SHARDS.partitions());
    }
    proved.link();
    proved.send(200);
    proved.prove();
    // The folding of dc1's own log, which is the last thing to be known, joins by itself.
    await()
        .atMost(PATIENCE)
        .until(() -> proved.verdict().agreed() == 200 && proved.verdict().provenAt().isPresent());
    assertThat(proved.verdict().agrees()).isTrue();

    int shard = proved.shard();
    proved.forge(shard);
    proved.send(1_000);
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(proved.verdict().differences())
                    .isNotEmpty()
                    .allMatch(difference -> difference.cells().shard() == shard));
  }

  @OverEachWay
  void a_log_that_was_made_again_is_noticed(Way way) throws Exception {
    var again = instance("again", way);
    again.bring(100);
    try (var admin = stack.broker("dc2").admin()) {
      admin.deleteTopics(List.of(again.topics.log())).all().get();
    }
    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(
            () -> stack.broker("dc2").create(new NewTopic(again.topics.log(), 16, (short) 1)));
    again.send(300);

    var link = again.link();
    awaitHalt(link, again.topics.log() + " of dc2 was deleted and made again");
    assertThat(again.arrived()).hasSize(100);

    again.accept();
    again.awaitArrived(400);
    await().atMost(PATIENCE).until(() -> link.health().isGood());
  }

  @OverEachWay
  void a_link_whose_place_went_with_a_log_that_was_made_again_begins_again_and_only_once(Way way)
      throws Exception {
    var remade = instance("remade", way);
    remade.bring(100);
    remade.send(50);
    remade.cut();
    remade.send(100);
    awaitHalt(remade.link(), "the log of dc2 has not all that comes next");

    remade.generation(2);
    remade.awaitArrived(200);
    remade.awaitPlaces();
    remade.unlink();
    remade.send(50);
    remade.cut();
    remade.send(100);
    awaitHalt(remade.link(), "the log of dc2 has not all that comes next");
    assertThat(remade.distinct()).hasSize(200);
  }

  @OverEachWay
  void a_peer_that_is_another_one_halts_the_link_and_no_cell_is_taken(Way way) throws Exception {
    var named = instance("named", way);
    named.send(100);
    awaitHalt(named.link("dc3", "dc2"), "is not dc3: it says that it is {\"datacenter\":\"dc2\"");
    awaitHalt(named.link("dc2", "dc1"), "is the Kafka of this data centre itself, not of dc2");
    assertThat(named.arrived()).isEmpty();
  }

  @OverEachWay
  void a_link_that_somebody_holds_stands_still_and_later_goes_on_at_its_place(Way way)
      throws Exception {
    var held = instance("held", way);
    var link = held.link();
    held.send(100);
    held.awaitArrived(100);
    held.awaitPlaces();
    held.hold(Optional.of(Kind.PAUSED));
    await().atMost(PATIENCE).until(() -> link.health().state() == State.PAUSED);
    assertThat(link.health().why()).isEqualTo("paused since 1970-01-01T00:00:00Z by anna@ops1");
    held.send(100);

    var again = held.link();
    await().atMost(PATIENCE).until(() -> again.health().state() == State.PAUSED);
    held.hold(Optional.of(Kind.LOST));
    await().atMost(PATIENCE).until(() -> again.health().state() == State.LOST);
    assertThat(held.arrived()).hasSize(100);

    held.hold(Optional.empty());
    held.awaitArrived(200);
    assertThat(held.arrived()).hasSize(200);
    held.assertInOrder(0);
  }

  /** Who began anew could be late again each time, and fold nothing any more. */
  @Test
  void what_expires_while_a_log_is_folded_is_left_out_and_folding_goes_on() throws Exception {
    var expiring = instance("expiring", Way.KAFKA);
    expiring.create("dc2", expiring.topics.checkpoint(), MeshInstance.SHARDS.partitions());
    expiring.send(200);
    var figures = new FoldFigures();
    try (var run =
        new FoldRun(FoldSource.LOG, expiring.topology("dc2"), expiring.kafka("dc2"), figures)) {
      await().atMost(PATIENCE).until(() -> turned(run, figures).folded() == 260);
      for (int times = 1; times <= 2; times++) {
        expiring.send(200);
        expiring.cut();
      }
      expiring.send(100);
      await()
          .atMost(PATIENCE)
          .until(
              () ->
                  turned(run, figures).cut() > 0
                      && figures.counts().behind() == 0
                      && figures.counts().folded() >= 260 + 130);
      run.settle();
    }
    assertThat(figures.counts().cut()).isLessThanOrEqualTo(2L * MeshInstance.SHARDS.partitions());
    assertThat(figures.counts().folded()).isBetween(260L + 130, 260L + 650);
  }

  private static FoldFigures.Counts turned(FoldRun run, FoldFigures figures) {
    run.turn();
    return figures.counts();
  }

  @Test
  void a_connection_that_is_reset_again_and_again_costs_no_cell_and_no_order() throws Exception {
    var broken = instance("broken", Way.HTTP);
    var link = broken.link();
    int sent = 0;
    for (int cut = 1; cut <= 3; cut++) {
      long cuts = broken.proxy.cuts();
      broken.proxy.cutAfter(3_000L * cut);
      sent += 500;
      broken.send(500);
      await().atMost(PATIENCE).until(() -> broken.proxy.cuts() > cuts);
    }
    broken.awaitArrived(sent);
    broken.assertInOrder(3);
    assertThat(link.health().counts().restarts()).isZero();
    await().atMost(PATIENCE).until(() -> link.health().isGood());
  }

  @Test
  @Tag("full")
  void over_a_way_that_breaks_windows_hold() throws Exception {
    a_link_keeps_a_window_of_what_the_sink_has_not_passed_in_each_partition(Way.BROKEN);
  }

  @Test
  @Tag("full")
  void over_a_way_that_breaks_a_seed_is_read() throws Exception {
    a_link_whose_peers_log_was_cut_waits_for_the_seed_and_reads_it_before_the_log(Way.BROKEN);
  }

  @Test
  @Tag("full")
  void over_a_way_that_breaks_what_a_peer_has_folded_is_compared() throws Exception {
    what_a_peer_has_folded_is_compared_whichever_way_it_is_read(Way.BROKEN);
  }

  @Test
  void over_a_way_that_breaks_a_link_goes_on_at_its_place_and_keeps_the_order() throws Exception {
    var broken = instance("unsteady", Way.BROKEN);
    broken.send(500);
    broken.link();
    broken.send(500);
    broken.awaitArrived(1_000);
    broken.awaitPlaces();
    int breaks = broken.breaks();
    broken.unlink();
    broken.send(500);
    var link = broken.link();
    broken.awaitArrived(1_500);
    broken.assertInOrder(1 + breaks + broken.breaks());
    assertThat(breaks).isPositive();
    await().atMost(PATIENCE).until(() -> link.health().isGood());
  }

  @Test
  void a_peer_that_is_not_there_is_waited_for_and_one_that_refuses_halts_the_link()
      throws Exception {
    var refused = instance("refused", Way.HTTP);
    refused.send(10);
    refused.allowed = Set.of("dc9");
    awaitHalt(refused.link(), "does not let dc1 read: \"dc1\" is not among those who may read");

    refused.server.close();
    await().atMost(PATIENCE).until(() -> refused.link.health().state() == State.WAITING);
  }

  @Test
  @Tag("full")
  @ResourceLock(BROKERS)
  void an_own_broker_that_is_away_costs_no_cell_and_no_order() throws Exception {
    var outage = instance("outage", Way.HTTP);
    outage.link();
    outage.send(500);
    outage.awaitArrived(500);
    stack.broker("dc1").kill();
    outage.send(500);
    stack.broker("dc1").restart();
    outage.awaitArrived(1000);
    outage.assertInOrder(2);
  }

  private LinkedInstance instance(String name, Way way) {
    return new LinkedInstance(stack, name, way, opened, turns);
  }

  private static void awaitHalt(PeerLink link, String... words) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              assertThat(link.health().why()).contains(words);
              assertThat(link.health().state()).isEqualTo(State.HALTED);
            });
  }

  /** Notes which rebalances there are. */
  private record Rebalances(List<String> seen) implements ConsumerRebalanceListener {
    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> assigned) {
      seen.add("assigned");
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
      seen.add("revoked");
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> lost) {
      seen.add("lost");
    }
  }
}
