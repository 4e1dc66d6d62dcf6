package io.cellmesh.stack.chaos;

import io.cellmesh.cell.Topology;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A small flow of records beside {@link KnownCells} that are none of the usual: cells that come
 * twice, spelt in two ways, cells that conflict, cells that several data centres write at the same
 * time, each another body, bursts of cells of one row, large bodies, and records that are no cells.
 * What must become of each is known, and compared by {@link IndependentCheck}.
 */
final class HostileCells implements AutoCloseable {
  /** Of so many known cells, one comes beside them. */
  static final int ONE_OF = 50;

  private static final String DEEP = "[".repeat(500) + "]".repeat(500);

  /** Values that break a rule of the envelope each; %s is the row. */
  private static final List<String> POISON =
      List.of(
          "",
          "{",
          "[]",
          "{\"row_key\":\"%s\"}",
          "{\"row_key\":\"%s\",\"column_name\":\"\",\"ref_key\":1,\"body\":{}}",
          "{\"row_key\":\"%s\",\"column_name\":\""
              + "N".repeat(3_000)
              + "\",\"ref_key\":1,\"body\":{}}",
          "{\"row_key\":\"%s\",\"column_name\":\"BASE\",\"ref_key\":1.5,\"body\":{}}",
          "{\"row_key\":\"%s\",\"column_name\":\"BASE\",\"ref_key\":\"1\",\"body\":{}}",
          "{\"row_key\":\"%s\",\"column_name\":\"BASE\",\"ref_key\":9223372036854775808,\"body\":{}}",
          "{\"row_key\":\"%s\",\"column_name\":\"BASE\",\"ref_key\":2,\"body\":{\"a\":1,\"a\":1}}",
          "{\"row_key\":\"%s\",\"column_name\":\"BASE\",\"ref_key\":3,\"body\":" + DEEP + "}",
          "{\"row_key\":\"not a uuid\",\"column_name\":\"BASE\",\"ref_key\":4,\"body\":{}}",
          "{\"v\":9,\"row_key\":\"%s\",\"column_name\":\"BASE\",\"ref_key\":5,\"body\":{}}");

  /** Kinds of what comes in turn; the last one is what is contested. */
  private static final int TURNS = 5;

  /** How many cells of the one row come at once. */
  private static final int BURST = 20;

  /** Of so many turns one brings a large body; it lies on four servers or more. */
  private static final int LARGE_ONE_OF = 40;

  /** Of a body, its quotes included: what the sink accepts by default. */
  private static final int LARGEST = 1 << 20;

  private final String datacenter;
  private final UUID hot;
  private final Map<String, Fate> fates = new ConcurrentHashMap<>();
  private final Random own;
  private final Random shared;
  private final boolean contested;
  private final CellFlow flow;
  private volatile boolean paused;
  private long turn;
  private long bursts;

  private HostileCells(
      String bootstrap, Topology topology, Duration linger, long seed, boolean contested) {
    this.datacenter = topology.datacenter();
    this.own = new Random(seed ^ datacenter.hashCode());
    this.shared = new Random(~seed);
    this.contested = contested;
    this.hot = row(own);
    this.flow = new CellFlow(bootstrap, topology, linger);
  }

  /**
   * Begins to produce.
   *
   * @param known cells, which are produced beside these
   * @param seed the same in all data centres, which write the contested cells of the same keys
   * @param contested whether there are others to contest with
   */
  static HostileCells start(
      String bootstrap, Topology topology, Load known, long seed, boolean contested) {
    var cells = new HostileCells(bootstrap, topology, known.linger(), seed, contested);
    cells.flow.start(Duration.ofSeconds(ONE_OF).dividedBy(known.rate()), cells::tick);
    return cells;
  }

  /**
   * Looks whether all went well so far.
   *
   * @throws IllegalStateException if a record was not acknowledged
   */
  void check() {
    flow.check();
  }

  /**
   * Produces no more; returns when all is acknowledged.
   *
   * @throws IllegalStateException if a record was not
   */
  void stop() {
    flow.stop();
  }

  /**
   * Produces nothing until {@link #resume}; then it contests again what the other data centres
   * write at that time.
   */
  void pause() {
    paused = true;
  }

  void resume() {
    paused = false;
  }

  /** What must become of records, by topic, partition and offset. */
  Map<String, Fate> fates() {
    return Map.copyOf(fates);
  }

  @Override
  public void close() {
    flow.close();
  }

  private void tick() {
    if (paused) {
      pass();
      return;
    }
    if (turn % LARGE_ONE_OF == 0) {
      large();
    }
    switch ((int) (turn++ % TURNS)) {
      case 0 -> twice();
      case 1 -> conflicting();
      case 2 -> poison();
      case 3 -> hot();
      default -> contested();
    }
  }

  /** Leaves a turn out. The others draw the next contested row in theirs. */
  private void pass() {
    if (turn++ % TURNS == TURNS - 1) {
      row(shared);
    }
  }

  private void twice() {
    var row = row(own);
    send(row, cell(row, 1, "{\"n\":1,\"text\":\"twice\"}"), Fate.STORED);
    send(row, cell(row, 1, "{\"text\" : \"twice\", \"n\":1.0}"), Fate.STORED);
  }

  private void conflicting() {
    var row = row(own);
    send(row, cell(row, 1, "\"first\""), Fate.STORED);
    send(row, cell(row, 1, "\"second\""), Fate.REJECTED);
  }

  private void poison() {
    var row = row(own);
    send(row, POISON.get(own.nextInt(POISON.size())).replace("%s", row.toString()), Fate.REJECTED);
  }

  private void hot() {
    for (int i = 0; i < BURST; i++) {
      send(hot, cell(hot, ++bursts, "\"hot\""), Fate.STORED);
    }
  }

  /** Digits at random, so that they stay large when they are compressed. */
  private void large() {
    var row = row(own);
    var bytes = new byte[1 + own.nextInt(LARGEST / 2 - 1)];
    own.nextBytes(bytes);
    send(row, cell(row, 1, "\"" + HexFormat.of().formatHex(bytes) + "\""), Fate.STORED);
  }

  private void contested() {
    var row = row(shared);
    if (contested) {
      flow.send(row, cell(row, 1, "\"of " + datacenter + "\""), place -> {});
    }
  }

  private static UUID row(Random random) {
    return new UUID(random.nextLong(), random.nextLong());
  }

  private static String cell(UUID row, long ref, String body) {
    return "{\"row_key\":\"%s\",\"column_name\":\"BASE\",\"ref_key\":%d,\"body\":%s}"
        .formatted(row, ref, body);
  }

  private void send(UUID row, String value, Fate fate) {
    flow.send(
        row, value, at -> fates.put(at.topic() + "-" + at.partition() + "@" + at.offset(), fate));
  }
}
