package io.cellmesh.stack.chaos;

import io.cellmesh.cell.Topology;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/**
 * A small flow of records beside {@link KnownCells} that are none of the usual: cells that come
 * twice, spelt in two ways, cells that conflict, cells that several data centres write at the same
 * time, each another body, and records that are no cells. Which of them is stored and which is
 * rejected is for {@link IndependentCheck} to judge.
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

  private final String datacenter;
  private final Random own;
  private final Random shared;
  private final boolean contested;
  private final CellFlow flow;
  private long turn;

  private HostileCells(String bootstrap, Topology topology, long seed, boolean contested) {
    this.datacenter = topology.datacenter();
    this.own = new Random(seed ^ datacenter.hashCode());
    this.shared = new Random(~seed);
    this.contested = contested;
    this.flow = new CellFlow(bootstrap, topology);
  }

  /**
   * Begins to produce.
   *
   * @param rate of the known cells, in cells a second
   * @param seed the same in all data centres, which write the contested cells of the same keys
   * @param contested whether there are others to contest with
   */
  static HostileCells start(
      String bootstrap, Topology topology, int rate, long seed, boolean contested) {
    var cells = new HostileCells(bootstrap, topology, seed, contested);
    cells.flow.start(Duration.ofSeconds(ONE_OF).dividedBy(rate), cells::tick);
    return cells;
  }

  /**
   * Produces no more; returns when all is acknowledged.
   *
   * @throws IllegalStateException if a record was not
   */
  void stop() {
    flow.stop();
  }

  @Override
  public void close() {
    flow.close();
  }

  private void tick() {
    switch ((int) (turn++ % 4)) {
      case 0 -> twice();
      case 1 -> conflicting();
      case 2 -> poison();
      default -> contested();
    }
  }

  private void twice() {
    var row = row(own);
    send(row, cell(row, "{\"n\":1,\"text\":\"twice\"}"));
    send(row, cell(row, "{\"text\" : \"twice\", \"n\":1.0}"));
  }

  private void conflicting() {
    var row = row(own);
    send(row, cell(row, "\"first\""));
    send(row, cell(row, "\"second\""));
  }

  private void poison() {
    var row = row(own);
    send(row, POISON.get(own.nextInt(POISON.size())).replace("%s", row.toString()));
  }

  private void contested() {
    var row = row(shared);
    if (contested) {
      send(row, cell(row, "\"of " + datacenter + "\""));
    }
  }

  private static UUID row(Random random) {
    return new UUID(random.nextLong(), random.nextLong());
  }

  private static String cell(UUID row, String body) {
    return "{\"row_key\":\"%s\",\"column_name\":\"BASE\",\"ref_key\":1,\"body\":%s}"
        .formatted(row, body);
  }

  private void send(UUID row, String value) {
    flow.send(row, value, place -> {});
  }
}
