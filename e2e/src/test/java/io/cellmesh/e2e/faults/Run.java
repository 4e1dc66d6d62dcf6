package io.cellmesh.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.devstack.MySqlCluster;
import io.cellmesh.stack.chaos.KnownCells;
import io.cellmesh.stack.chaos.Load;
import io.cellmesh.stack.chaos.MasterTables;
import io.cellmesh.stack.chaos.TableDelays;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.TopicOffsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.RecordMetadata;

/** A scenario under way: cells flow from its beginning until it {@link #settle}s. */
public final class Run implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration LOOKS = Duration.ofMillis(50);
  private static final Duration DOWNSTREAM = Duration.ofSeconds(60);

  private final FaultStack stack;
  private final String name;
  private final TableDelays visibility;
  private final KnownCells load;
  private final MasterTables tables;
  private final AtomicLong acknowledged = new AtomicLong();
  private final long begunAt = System.nanoTime();
  private double leastRate = Figures.ofThisRun().leastRate();

  private Run(FaultStack stack, String name, int rate) {
    this.stack = stack;
    this.name = name;
    var topology = stack.topology();
    this.tables = new MasterTables(topology, stack::master);
    this.visibility =
        TableDelays.watch(topology, cluster -> stack.master(cluster).server().address(), LOOKS);
    this.load =
        KnownCells.start(
            stack.bootstrap(), topology, Load.of(rate), 0, name.hashCode(), this::expectNowAndThen);
  }

  /** Every eighth is enough to know how long cells take. */
  private void expectNowAndThen(UUID row, long ref, RecordMetadata place) {
    if (acknowledged.incrementAndGet() % 8 == 0) {
      visibility.expect(stack.topology().shards().of(row), place.partition(), place.offset());
    }
  }

  public static Run begin(FaultStack stack, String name) {
    return begin(stack, name, Figures.ofThisRun().rate());
  }

  /**
   * @param rate cells a second
   */
  static Run begin(FaultStack stack, String name, int rate) {
    var run = new Run(stack, name, rate);
    run.awaitMoving(DOWNSTREAM);
    run.flow(Duration.ofSeconds(2));
    return run;
  }

  /** While the sink is stopped, so that nothing moves. */
  static Run beginWithoutSink(FaultStack stack, String name) {
    var run = new Run(stack, name, Figures.ofThisRun().rate());
    run.flow(Duration.ofSeconds(3));
    return run;
  }

  public KnownCells load() {
    return load;
  }

  MasterTables tables() {
    return tables;
  }

  TableDelays visibility() {
    return visibility;
  }

  /** Lets cells flow for a while. */
  public void flow(Duration time) {
    await().atMost(time.plusSeconds(1)).pollDelay(time).until(() -> true);
  }

  /** Lets cells flow until as many are acknowledged. */
  void awaitLoad(long acknowledged) {
    await()
        .atMost(DOWNSTREAM)
        .pollInterval(Duration.ofMillis(5))
        .until(() -> load.acknowledged() >= acknowledged);
  }

  public void report(String format, Object... arguments) {
    Report.line(name + ": " + format, arguments);
  }

  /** What a cluster did since a moment. */
  TableDelays.Passage since(String cluster, long nanos) {
    return visibility.between(cluster, nanos, System.nanoTime());
  }

  /** Waits until the clusters have everything that is in {@code trips.cells} when it is called. */
  public Duration awaitCaughtUp(Duration bound, String... clusters) {
    long start = System.nanoTime();
    var ends = ends();
    await("everything up to " + ends + " visible in " + List.of(clusters))
        .atMost(bound)
        .pollInterval(POLL)
        .untilAsserted(
            () -> {
              for (var cluster : clusters) {
                assertThat(behind(cluster, ends)).as("%s, %s", cluster, state()).isZero();
              }
            });
    return since(start);
  }

  /** Waits until the positions of every cluster have moved on from where they are. */
  public void awaitMoving(Duration bound) {
    var clusters = stack.topology().clusters();
    var before = clusters.stream().map(c -> sum(visibility.positions(c.name()))).toList();
    await("the positions of every cluster moving")
        .atMost(bound)
        .pollInterval(POLL)
        .until(
            () -> {
              for (int i = 0; i < before.size(); i++) {
                if (sum(visibility.positions(clusters.get(i).name())) <= before.get(i)) {
                  return false;
                }
              }
              return true;
            });
  }

  /**
   * The broker goes away, and whoever produces has to wait: the flow must have had its rate up to
   * here.
   */
  public void expectPause() {
    assertThat(load.rate()).isGreaterThanOrEqualTo(leastRate);
    leastRate = 0;
  }

  /**
   * Ends the flow and waits until every acknowledged cell is visible and the buffers are empty;
   * then until minions and log have everything. In the full build {@code verify} has the last word,
   * in a short one when all scenarios of the class have ended, since it reads whatever there is.
   *
   * @param bound for the cells and the buffers
   */
  public void settle(Duration bound) throws SQLException {
    settleWithout(bound, 0);
  }

  /**
   * As {@link #settle}, where cells were lost before the sink could have them.
   *
   * @param lost exactly so many
   */
  void settleWithout(Duration bound, long lost) throws SQLException {
    load.stop();
    long stopped = System.nanoTime();
    var expected = load.lastOfEachRow();
    await("every acknowledged cell visible")
        .atMost(bound)
        .pollInterval(POLL)
        .untilAsserted(
            () -> assertThat(missing(expected)).as("missing cells; %s", state()).isEqualTo(lost));
    var visible = since(stopped);
    await("empty buffers")
        .atMost(bound)
        .pollInterval(POLL)
        .untilAsserted(() -> assertThat(tables.copies()).as("copies; %s", state()).isZero());
    var empty = since(stopped);
    awaitDownstream();
    long settled = System.nanoTime();
    var verified = Figures.isFull() ? stack.verify() : "once all scenarios have ended";
    report(
        "%d cells at %.0f/s; visible %s and buffers empty %s after the last one; %s in all, verify %s",
        load.acknowledged(),
        load.rate(),
        Report.text(visible),
        Report.text(empty),
        Report.text(since(begunAt)),
        Report.text(since(settled)));
    report("verify: %s", verified);
    assertThat(load.rate()).isGreaterThanOrEqualTo(leastRate);
  }

  @Override
  public void close() {
    load.close();
    visibility.close();
  }

  private void awaitDownstream() throws SQLException {
    for (var cluster : stack.clusters()) {
      awaitMinions(cluster);
    }
    var last = tables.lastAddedIds();
    try (var log = new LogEnds(stack)) {
      await("the log complete")
          .atMost(DOWNSTREAM)
          .pollInterval(POLL)
          .untilAsserted(() -> assertThat(log.read()).isEqualTo(last));
    }
  }

  private static void awaitMinions(MySqlCluster cluster) {
    for (var minion : cluster.minions()) {
      assertThat(minion.catchesUpWith(cluster.master(), DOWNSTREAM)).as(minion.name()).isTrue();
    }
  }

  private long missing(Map<UUID, Long> expected) throws SQLException {
    var rows = tables.rows(expected.keySet());
    long missing = 0;
    for (var row : expected.entrySet()) {
      var found = rows.getOrDefault(row.getKey(), new MasterTables.Row(0, 0));
      // Its ref_keys are 1, 2, 3 …, so this holds only when none is missing in between.
      missing += row.getValue() - Math.min(found.count(), found.last());
    }
    return missing;
  }

  private long behind(String cluster, List<Long> ends) {
    var positions = visibility.positions(cluster);
    long behind = 0;
    for (int partition = 0; partition < positions.length; partition++) {
      behind += Math.max(0, ends.get(partition) - positions[partition]);
    }
    return behind;
  }

  private static long sum(long[] positions) {
    return Arrays.stream(positions).sum();
  }

  private List<Long> ends() {
    try (var client = Consumers.open(KafkaAccess.plain(stack.bootstrap()))) {
      return TopicOffsets.of(client, "trips.cells").end();
    }
  }

  /** For messages. */
  private String state() {
    var sink = stack.sink();
    return "sink %s, failure %s".formatted(sink, sink.failure().orElse("none"));
  }

  private static Duration since(long nanos) {
    return Duration.ofNanos(System.nanoTime() - nanos);
  }
}
