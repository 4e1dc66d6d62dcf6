package io.cellmesh.operations.mesh;

import io.cellmesh.cell.Cell;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.mesh.RelayPlan.Gap;
import io.cellmesh.storage.Pools;
import io.cellmesh.topics.load.Pace;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.BiConsumer;

/**
 * Hands on out of entity tables what no topic has any more of a data centre's cells: of each shard
 * what any of the others has stored, each cell once, and each with a greater id than the one before
 * (invariant 9). What one of them refused another one may have.
 */
final class TableRelay implements AutoCloseable {
  /** Cells that are read from one table at once, at most. */
  private static final int MOST = 500;

  private final String origin;
  private final Pace pace;
  private final Map<DataCenter, TableSource> sources = new HashMap<>();
  private final List<Pools> pools = new ArrayList<>();

  /**
   * @param origin the data centre that wrote the cells
   * @param rate cells a second that are handed on, at most; 0 for as fast as possible
   */
  TableRelay(String origin, double rate) {
    this.origin = origin;
    this.pace = new Pace(rate, System::nanoTime);
  }

  /**
   * Chooses the servers that are read: minions that have all, else masters.
   *
   * @throws io.cellmesh.operations.OperationException if a master does not answer
   */
  void open(Collection<DataCenter> holders) throws Exception {
    for (var dc : holders) {
      AtDataCenter.run(
          dc,
          () -> {
            var opened = new Pools(dc.reader());
            pools.add(opened);
            sources.put(dc, TableSource.open(dc.topology(), opened));
          });
    }
  }

  /**
   * Hands on what the gaps of one shard lack.
   *
   * @param to takes a cell for the one that a gap is of
   * @return the greatest origin_id that each gap has now
   */
  Map<Gap, Long> fill(int shard, List<Gap> gaps, BiConsumer<Gap, Cell> to) throws Exception {
    var reached = new HashMap<Gap, Long>();
    gaps.forEach(gap -> reached.put(gap, gap.after()));
    long after = gaps.stream().mapToLong(Gap::after).min().orElseThrow();
    var tables = new PriorityQueue<>(Comparator.comparingLong(Rows::id));
    for (var source : sources.entrySet()) {
      add(tables, new Rows(source.getKey(), source.getValue(), shard, after));
    }
    for (var rows = tables.poll(); rows != null; rows = tables.poll()) {
      var cell = rows.next();
      long id = id(cell);
      for (var gap : gaps) {
        if (id > reached.get(gap)) {
          pace.await();
          to.accept(gap, cell.cell());
          reached.put(gap, id);
        }
      }
      add(tables, rows);
    }
    return reached;
  }

  private static void add(PriorityQueue<Rows> tables, Rows rows) throws Exception {
    if (rows.hasNext()) {
      tables.add(rows);
    }
  }

  private static long id(LogRecord cell) {
    return cell.cell().origin().orElseThrow().id();
  }

  /** A shard's cells in the tables of one data centre. */
  private final class Rows {
    private final DataCenter dc;
    private final TableSource source;
    private final int shard;
    private final long behind;
    private final Deque<LogRecord> read = new ArrayDeque<>();
    private long addedId;
    private boolean more = true;

    Rows(DataCenter dc, TableSource source, int shard, long behind) {
      this.dc = dc;
      this.source = source;
      this.shard = shard;
      this.behind = behind;
    }

    boolean hasNext() throws Exception {
      if (read.isEmpty() && more) {
        AtDataCenter.run(dc, this::readOn);
      }
      return !read.isEmpty();
    }

    private void readOn() throws Exception {
      // Where there is nothing at all ids begin with 1.
      int count = source.behind(origin, shard, Math.max(0, behind), addedId, MOST, read::add);
      if (count > 0) {
        addedId = read.getLast().addedId();
      }
      more = count == MOST;
    }

    /** The id of the next one. */
    long id() {
      return TableRelay.id(read.getFirst());
    }

    LogRecord next() {
      return read.removeFirst();
    }
  }

  @Override
  public void close() {
    pools.forEach(Pools::close);
  }
}
