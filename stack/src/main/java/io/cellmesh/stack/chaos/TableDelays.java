package io.cellmesh.stack.chaos;

import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Watches how far the cells of each storage cluster are visible, by the positions on its master:
 * how many records they passed, how long they stood still, and how long after its acknowledgement a
 * cell was there. A master that does not answer is asked again and again, whatever it failed with.
 */
public final class TableDelays implements AutoCloseable {
  private final Topology topology;
  private final Map<String, MasterMonitor> monitors = new LinkedHashMap<>();

  private TableDelays(Topology topology) {
    this.topology = topology;
  }

  /**
   * Begins to watch.
   *
   * @param masters the address of a cluster's master, by the cluster's name, at the time of asking
   * @param interval between two looks at a master, of which each costs what others have to do
   */
  public static TableDelays watch(
      Topology topology, Function<String, String> masters, Duration interval) {
    var visibility = new TableDelays(topology);
    for (var cluster : topology.clusters()) {
      var monitor =
          new MasterMonitor(
              () -> masters.apply(cluster.name()),
              topology.instance(),
              topology.shards().partitions());
      visibility.monitors.put(cluster.name(), monitor);
      monitor.clock.scheduleWithFixedDelay(
          monitor::look, 0, interval.toMillis(), TimeUnit.MILLISECONDS);
    }
    return visibility;
  }

  /** A cell was acknowledged just now: its delay counts from here. */
  public void expect(int shard, int partition, long offset) {
    var cluster = topology.clusterOf(shard).name();
    monitors.get(cluster).expected.add(new Expected(partition, offset, System.nanoTime()));
  }

  /** The next offset of each partition as it was seen last. */
  public long[] positions(String cluster) {
    return monitors.get(cluster).last();
  }

  /** How long the oldest expected cell has been waited for; zero if none is. */
  public Duration oldest() {
    long now = System.nanoTime();
    return Duration.ofNanos(
        monitors.values().stream().mapToLong(w -> w.oldest(now)).max().orElse(0));
  }

  /**
   * How a cluster's positions moved between two moments.
   *
   * @param from by {@link System#nanoTime}
   */
  public Passage between(String cluster, long from, long to) {
    return monitors.get(cluster).between(from, to);
  }

  @Override
  public void close() {
    monitors.values().forEach(MasterMonitor::close);
  }

  /**
   * How a cluster's positions passed records between two moments.
   *
   * @param passed records that the positions passed
   * @param stall the longest time in which they did not move
   * @param worst the longest time from a cell's acknowledgement to its being visible
   */
  public record Passage(long passed, Duration stall, Duration worst) {
    @Override
    public String toString() {
      return "%d passed, longest stall %s, longest delay %s"
          .formatted(passed, text(stall), text(worst));
    }

    private static String text(Duration duration) {
      return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1e3);
    }
  }

  private record Expected(int partition, long offset, long since) {}

  private record Sample(long at, long sum) {}

  private record Delay(long at, long nanos) {}

  /** One master. Its samples are read by the test, and written by its own thread. */
  private static final class MasterMonitor {
    /** Looks between which a promotion of another server goes unnoticed. */
    private static final int LOOKS = 20;

    private final Supplier<String> master;
    private final String meta;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private final ConcurrentLinkedQueue<Expected> expected = new ConcurrentLinkedQueue<>();
    private final List<Sample> samples = new ArrayList<>();
    private final List<Delay> delays = new ArrayList<>();
    private long[] last;
    private Connection connection;
    private String address = "";
    private int looks;
    private RuntimeException broken;

    MasterMonitor(Supplier<String> master, String instance, int partitions) {
      this.master = master;
      this.meta = Names.metaDatabase(instance);
      this.last = new long[partitions];
    }

    void look() {
      try {
        if (connection == null || looks++ % LOOKS == 0) {
          connect();
        }
        var next = new long[last.length];
        try (var statement = connection.createStatement();
            var rows =
                statement.executeQuery(
                    "SELECT partition_no, cells_next FROM " + meta + ".position")) {
          while (rows.next()) {
            next[rows.getInt(1)] = rows.getLong(2);
          }
        }
        seen(next, System.nanoTime());
        broken(null);
      } catch (SQLException e) {
        disconnect();
        broken(null);
      } catch (RuntimeException e) {
        disconnect();
        broken(e);
      }
    }

    private synchronized void broken(RuntimeException cause) {
      broken = cause;
    }

    private void connect() throws SQLException {
      var now = master.get();
      if (connection == null || !now.equals(address)) {
        disconnect();
        address = now;
        connection =
            DriverManager.getConnection(
                "jdbc:mysql://%s/?user=root&sslMode=DISABLED&allowPublicKeyRetrieval=true&connectTimeout=500&socketTimeout=1000"
                    .formatted(address));
      }
    }

    private synchronized void seen(long[] next, long now) {
      long sum = 0;
      for (long offset : next) {
        sum += offset;
      }
      last = next;
      samples.add(new Sample(now, sum));
      for (var cells = expected.iterator(); cells.hasNext(); ) {
        var cell = cells.next();
        if (cell.offset < next[cell.partition]) {
          delays.add(new Delay(now, now - cell.since));
          cells.remove();
        }
      }
    }

    long oldest(long now) {
      var first = expected.peek();
      return first == null ? 0 : now - first.since;
    }

    /** What this thread can't do is no news of the master. */
    synchronized long[] last() {
      if (broken != null) {
        throw new IllegalStateException("the master is not watched just now", broken);
      }
      return last.clone();
    }

    synchronized Passage between(long from, long to) {
      Sample first = null;
      Sample end = null;
      long movedAt = from;
      long stall = 0;
      for (var sample : samples) {
        if (sample.at > to) {
          break;
        }
        if (first == null || sample.at <= from) {
          first = sample;
        } else if (sample.sum > end.sum) {
          stall = Math.max(stall, sample.at - movedAt);
          movedAt = sample.at;
        }
        end = sample;
      }
      stall = Math.max(stall, to - movedAt);
      long worst =
          delays.stream()
              .filter(delay -> delay.at > from && delay.at <= to)
              .mapToLong(Delay::nanos)
              .max()
              .orElse(0);
      return new Passage(
          first == null ? 0 : end.sum - first.sum,
          Duration.ofNanos(stall),
          Duration.ofNanos(worst));
    }

    private void disconnect() {
      if (connection != null) {
        try {
          connection.close();
        } catch (SQLException e) {
          // It was of no use any more.
        }
        connection = null;
      }
    }

    void close() {
      clock.shutdownNow();
      try {
        clock.awaitTermination(5, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      disconnect();
    }
  }
}
