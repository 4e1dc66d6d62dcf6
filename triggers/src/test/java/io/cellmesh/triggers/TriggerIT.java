package io.cellmesh.triggers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Shards;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import io.cellmesh.topics.trigger.Order;
import io.cellmesh.triggers.CalledTable.Call;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Processes that share a trigger, which are killed, hang, come and go under load. */
class TriggerIT {
  private static final Shards SHARDS = new Shards(64, 16);
  private static final boolean FULL = "full".equals(System.getProperty("cellmesh.figures"));
  private static final int PER_SECOND = FULL ? 1_000 : 300;
  private static final int KILLS = FULL ? 20 : 2;

  /** Longer than its session lasts. */
  private static final Duration HANGS = Duration.ofSeconds(13);

  /**
   * From a callback's end to its commit, at most: while the group meets anew nobody can commit, and
   * who could not for as long as a session calls no more.
   */
  private static final Duration COMMITTED = Duration.ofSeconds(11);

  /** Until the group has met, and commits, once its broker is back. */
  private static final Duration MET = Duration.ofSeconds(15);

  /** Until it has in any case, from when the broker went. */
  private static final Duration BACK = Duration.ofSeconds(20);

  private static final Duration SOON = Duration.ofSeconds(90);

  /** Each look reads the whole table. */
  private static final Duration LOOK = Duration.ofMillis(500);

  /** Where the logs of its processes are to be found afterwards. */
  private static final Path DIR = Path.of("target", "trigger-it").toAbsolutePath();

  private static DevStack stack;
  private static CalledTable table;

  private final List<TriggerProcess> processes = new ArrayList<>();

  /** When a process ceased to be heard: what it did shortly before may not have been committed. */
  private final Map<String, Long> silenced = new HashMap<>();

  /** When a process stood still that woke later: what it does from then on does not count. */
  private final Map<String, Long> hung = new HashMap<>();

  /** When the broker went: what was done from then on could not be committed for a while. */
  private long brokerAway;

  /** When it answered again, after seconds that depend on the machine. */
  private long brokerBack;

  private int started;

  @BeforeAll
  static void start() {
    stack =
        DevStack.start(
            Options.defaults()
                .withStateDir(DIR)
                .withDatacenters(1)
                .withClusters(1)
                .withMinions(0)
                // The table counts; it is not what has to survive.
                .withMySqlSetting("innodb_flush_log_at_trx_commit", "0")
                .withMySqlSetting("sync_binlog", "0")
                .withWorkers(0),
            Progress.silent());
    stack.cluster("dc1", "c1").master().openMaster();
  }

  @AfterAll
  static void stop() {
    stack.close();
  }

  @BeforeEach
  void prepare() {
    var master = stack.cluster("dc1", "c1").master();
    master.execute("DROP DATABASE IF EXISTS called");
    table = CalledTable.create(master);
  }

  @AfterEach
  void end() throws Exception {
    for (var process : processes) {
      process.terminate();
    }
    table.close();
    try (var admin = stack.broker("dc1").admin()) {
      var topics = List.of("trips.log", "trips.trigger-state", "trips.parked");
      admin.deleteTopics(topics).all().get();
      admin.deleteConsumerGroups(List.of("trips-trigger-billing")).all().get();
    }
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void no_cell_is_skipped_and_only_what_was_unfinished_comes_again(Order order) throws Exception {
    createTopics();
    long seed = new Random().nextLong();
    try (var feeder = new LogFeeder(stack.broker("dc1").bootstrap(), "trips.log", SHARDS, seed)) {
      for (int i = 0; i < 3; i++) {
        start(order);
      }
      var ended = new AtomicBoolean();
      var fed =
          CompletableFuture.runAsync(
              () -> {
                try {
                  feeder.feed(ended::get, PER_SECOND);
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              });
      var random = new Random(seed);
      for (int i = 0; i < KILLS; i++) {
        // Whoever is killed has cells.
        var victim = processes.get(random.nextInt(processes.size()));
        await().atMost(SOON).pollInterval(LOOK).until(() -> table.isBusy(victim.label()));
        kill(victim);
        processes.remove(victim);
        start(order);
      }
      hang(processes.get(random.nextInt(processes.size())));
      brokerAway = System.currentTimeMillis();
      stack.broker("dc1").restart();
      brokerBack = System.currentTimeMillis();
      TimeUnit.SECONDS.sleep(3);
      start(order);
      TimeUnit.SECONDS.sleep(4);
      terminate(processes.remove(0));
      ended.set(true);
      fed.join();

      var cells = feeder.written("BASE");
      await()
          .atMost(SOON)
          .pollInterval(LOOK)
          .untilAsserted(() -> assertThat(table.count()).isGreaterThanOrEqualTo(cells.size()));
      var calls = withoutLateOnes(table.calls());
      System.out.printf(
          "%s, seed %d: %,d cells, %,d calls, %d kills%n",
          order, seed, cells.size(), calls.size(), KILLS);
      assertAllCalled(cells, calls);
      assertFirstCallsInOrder(order, calls);
      assertOnlyUnfinishedRepeats(calls);
    }
  }

  private void start(Order order) throws IOException {
    processes.add(
        TriggerProcess.start(
            DIR,
            order + "-" + ++started,
            stack.broker("dc1").bootstrap(),
            stack.topologyFile("dc1"),
            CalledTable.url(stack.cluster("dc1", "c1").master()),
            order));
  }

  private void kill(TriggerProcess process) throws InterruptedException {
    silenced.put(process.label(), System.currentTimeMillis());
    process.kill();
  }

  /** What it does when it wakes, after the group has given its partitions away, must not count. */
  private void hang(TriggerProcess process) throws Exception {
    silenced.put(process.label(), System.currentTimeMillis());
    hung.put(process.label(), System.currentTimeMillis());
    process.pause();
    TimeUnit.MILLISECONDS.sleep(HANGS.toMillis());
    process.resume();
  }

  private void terminate(TriggerProcess process) throws InterruptedException {
    process.terminate();
  }

  private static void createTopics() {
    stack
        .broker("dc1")
        .create(
            topic("trips.log", Map.of()),
            topic("trips.trigger-state", Map.of("cleanup.policy", "compact")),
            topic("trips.parked", Map.of()));
  }

  private static NewTopic topic(String name, Map<String, String> settings) {
    return new NewTopic(name, Optional.of(SHARDS.partitions()), Optional.empty()).configs(settings);
  }

  /** What a process that woke finished of what another one had called with meanwhile. */
  private List<Call> withoutLateOnes(List<Call> calls) {
    var seen = new HashSet<Place>();
    return calls.stream()
        .filter(call -> seen.add(new Place(call.shard(), call.addedId())) || !isLate(call))
        .toList();
  }

  private boolean isLate(Call call) {
    long since = call.atMillis() - hung.getOrDefault(call.process(), Long.MAX_VALUE / 2);
    return since >= 0 && since < HANGS.plusSeconds(3).toMillis();
  }

  private static void assertAllCalled(List<LogRecord> cells, List<Call> calls) {
    var called = new HashSet<Place>();
    calls.forEach(call -> called.add(new Place(call.shard(), call.addedId())));
    var missing =
        cells.stream()
            .map(cell -> new Place(cell.shard(), cell.addedId()))
            .filter(place -> !called.contains(place))
            .toList();
    assertThat(missing).isEmpty();
    assertThat(called).hasSameSizeAs(cells);
  }

  private static void assertFirstCallsInOrder(Order order, List<Call> calls) {
    Function<Call, Object> lane = order == Order.SHARD ? Call::shard : Call::row;
    var last = new HashMap<Object, Long>();
    var seen = new HashSet<Place>();
    for (var call : calls) {
      if (seen.add(new Place(call.shard(), call.addedId()))) {
        Long before = last.put(lane.apply(call), call.addedId());
        assertThat(before == null || before < call.addedId())
            .as("%s after %s of %s", call, before, lane.apply(call))
            .isTrue();
      }
    }
  }

  /**
   * Whoever had it first was silenced shortly after, or could not commit it since the broker was
   * away.
   */
  private void assertOnlyUnfinishedRepeats(List<Call> calls) {
    var first = new HashMap<Place, Call>();
    int repeats = 0;
    for (var call : calls) {
      var before = first.putIfAbsent(new Place(call.shard(), call.addedId()), call);
      if (before != null) {
        repeats++;
        assertThat(wasCommitted(before)).as("%s came again as %s", before, call).isFalse();
      }
    }
    System.out.printf("%d calls came again%n", repeats);
  }

  private boolean wasCommitted(Call call) {
    long latest = call.atMillis() + COMMITTED.toMillis();
    boolean silenced = latest > this.silenced.getOrDefault(call.process(), Long.MAX_VALUE);
    long back = Math.min(brokerBack + MET.toMillis(), brokerAway + BACK.toMillis());
    boolean away = latest > brokerAway && call.atMillis() < back;
    return !silenced && !away;
  }

  private record Place(int shard, long addedId) {}
}
