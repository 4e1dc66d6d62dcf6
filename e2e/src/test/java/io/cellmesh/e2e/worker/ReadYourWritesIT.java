package io.cellmesh.e2e.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.CellKey;
import io.cellmesh.client.CellmeshClient;
import io.cellmesh.client.NewCell;
import io.cellmesh.client.Reached;
import io.cellmesh.client.ReadFrom;
import io.cellmesh.client.Session;
import io.cellmesh.devstack.MySqlServer;
import io.cellmesh.e2e.faults.FaultStack;
import io.cellmesh.e2e.faults.Figures;
import io.cellmesh.e2e.faults.Report;
import io.cellmesh.e2e.faults.StackScenarios;
import io.cellmesh.e2e.worker.OwnWrites.Read;
import io.cellmesh.stack.StackOptions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Who gives the position of a write to a read finds it, whichever worker and server answers: of
 * three workers, one of which has a file with the topology that nobody brings up to date.
 */
@Tag("full")
class ReadYourWritesIT extends StackScenarios {
  private static final Duration DEADLINE = Duration.ofSeconds(5);
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final int RATE = 200;
  private static final int PAIRS = Figures.isFull() ? 50_000 : 1_000;

  /**
   * Whose bounds are compared with what is measured; each takes as long as the minion is behind.
   */
  private static final int BOUNDS = Figures.isFull() ? 20 : 2;

  /** From one event of a lost master to the next. */
  private static final Duration WHILE = Duration.ofSeconds(Figures.isFull() ? 10 : 2);

  /** After which a promotion is over for everybody. */
  private static final Duration AFTERWARDS = Duration.ofSeconds(Figures.isFull() ? 30 : 8);

  private Workers workers;
  private List<CellmeshClient> clients;

  @Override
  protected FaultStack start() throws Exception {
    var started = FaultStack.start(StackOptions.of(1, List.of()).withClusters(3), state);
    workers = new Workers(started);
    clients =
        List.of(workers.start(), workers.start(), workers.startWithAFileOfItsOwn()).stream()
            .map(url -> Workers.client(List.of(url), DEADLINE))
            .toList();
    return started;
  }

  @Override
  protected boolean isVerified() {
    return false;
  }

  @AfterAll
  void stopWorkers() {
    if (workers != null) {
      workers.close();
    }
  }

  @Test
  @Order(1)
  void whoever_was_told_a_position_finds_the_cell_and_a_minion_has_it_mostly() throws Exception {
    long begun = System.nanoTime();
    try (var writes = OwnWrites.begin(clients, RATE, PAIRS)) {
      var reads = writes.await();
      report("at peace", reads);
      Report.line("own writes, at peace: %.0f pairs/s", PAIRS / seconds(begun));
      assertThat(reads).hasSize(PAIRS).allMatch(read -> read.told().equals("Visible"));
      assertThat(reads).allMatch(read -> read.found().equals("found"));
      assertThat(reads.stream().filter(OwnWrites::byMinion).count())
          .as("of %d, by minions", PAIRS)
          .isGreaterThanOrEqualTo(PAIRS / 2);
    }
  }

  @Test
  @Order(2)
  void without_a_position_it_is_told_how_much_may_be_missing() throws Exception {
    var delay = Duration.ofSeconds(2);
    var minion = stack.cluster("c2").minions().get(0);
    delay(minion, delay);
    try {
      var session = clients.get(0).session();
      for (int i = 0; i < BOUNDS; i++) {
        var key = new CellKey(Rows.of(stack.topology(), "c2"), "BASE", 1);
        assertThat(session.put(cell(key)).isAtLeast(Reached.VISIBLE)).isTrue();
        long visible = System.nanoTime();
        boundsAreTrue(key, visible, delay);
      }
    } finally {
      delay(minion, Duration.ZERO);
    }
  }

  @Test
  @Order(3)
  void a_promotion_that_loses_the_masters_last_cells_makes_nobody_read_an_older_state()
      throws Exception {
    var lost = stack.master("c1");
    var successor = stack.cluster("c1").minions().get(0);
    List<Read> reads;
    try (var writes = OwnWrites.begin(clients, RATE, Integer.MAX_VALUE / 2)) {
      Thread.sleep(WHILE.toMillis());
      successor.execute("STOP REPLICA");
      Thread.sleep(WHILE.toMillis());
      lost.kill();
      assertThat(lacking(successor, writes)).as("told visible, and lost").isPositive();
      Thread.sleep(WHILE.toMillis());
      var promoted =
          stack.command(
              "promote", "--cluster", "c1", "--to", address(successor), "--old-master-is-gone");
      assertThat(promoted.exit()).as(promoted.out() + promoted.err()).isZero();
      Thread.sleep(AFTERWARDS.toMillis());
      writes.end();
      reads = writes.await();
    }
    report("promotion", reads);
    assertThat(reads).noneMatch(Read::isStale);
    // A worker tells at the deadline how far a cell has come; on a busy machine that can be too
    // late.
    assertThat(reads.stream().filter(read -> read.told().equals("failed")).toList())
        .hasSizeLessThan(Math.max(2, reads.size() / 500))
        .allMatch(read -> clusterOf(read).equals("c1"));
    assertThat(reads).anyMatch(read -> read.told().equals("Buffered"));
    assertThat(reads.subList(reads.size() - RATE, reads.size()))
        .as("the last ones")
        .allMatch(read -> read.told().equals("Visible") && read.found().equals("found"));
    for (var read : reads) {
      if (clusterOf(read).equals("c1") && !read.told().equals("failed")) {
        var worker = clients.get(ThreadLocalRandom.current().nextInt(clients.size()));
        assertThat(OwnWrites.read(worker, read.key(), read.positions()).cell())
            .as("%s", read)
            .isPresent();
      }
    }
    var added = stack.command("minion", "add", "--cluster", "c1");
    assertThat(added.exit()).as(added.out() + added.err()).isZero();
    workerWithTheOldFileKnows(successor);
  }

  /** It has heard of both changes from the clusters alone. */
  private void workerWithTheOldFileKnows(MySqlServer master) {
    var minion = stack.cluster("c1").minions().get(0);
    var row = Rows.of(stack.topology(), "c1");
    var session = clients.get(2).session();
    var key = new CellKey(row, "BASE", 1);
    assertThat(read(session, key, ReadFrom.MASTER)).isEqualTo("c1/master/" + address(master));
    await()
        .atMost(SOON)
        .until(() -> read(session, key, ReadFrom.MINION).equals("c1/minion/" + address(minion)));
  }

  private static String read(Session session, CellKey key, ReadFrom from) {
    try {
      return session.readingFrom(from).get(key).source().server();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Reads until the minion has the cell, and compares each bound with what was measured. */
  private void boundsAreTrue(CellKey key, long visible, Duration delay) throws Exception {
    var session = clients.get(1).session().readingFrom(ReadFrom.MINION);
    Optional<Duration> least = Optional.empty();
    Optional<Duration> most = Optional.empty();
    Duration lag;
    while (true) {
      long begun = System.nanoTime();
      var read = session.get(key);
      lag = Duration.ofNanos(System.nanoTime() - visible);
      if (read.source().server().startsWith("c2/master/")) {
        // The minion kept it waiting, so the master was asked as well: it says nothing of a lag.
        continue;
      }
      assertThat(read.source().server()).startsWith("c2/minion/");
      var bound = read.source().staleUpTo();
      if (read.cell().isPresent()) {
        break;
      }
      if (bound.isPresent()) {
        assertThat(bound.get()).isGreaterThanOrEqualTo(Duration.ofNanos(begun - visible));
        least = least.filter(l -> l.compareTo(bound.get()) < 0).or(() -> bound);
        most = most.filter(m -> m.compareTo(bound.get()) > 0).or(() -> bound);
      }
      Thread.sleep(20);
    }
    Report.line(
        "a minion that is %.1f s behind: %.3f s measured, told %s to %s",
        delay.toMillis() / 1e3, lag.toMillis() / 1e3, text(least), text(most));
    // What was last seen of the master may be two seconds old.
    assertThat(most).isPresent();
    assertThat(most.get()).isLessThan(lag.plusMillis(2_500));
  }

  private static String text(Optional<Duration> duration) {
    return duration
        .map(some -> String.format(Locale.ROOT, "%.3f s", some.toMillis() / 1e3))
        .orElse("unknown");
  }

  private static void delay(MySqlServer minion, Duration delay) {
    minion.execute(
        "STOP REPLICA SQL_THREAD",
        "CHANGE REPLICATION SOURCE TO SOURCE_DELAY = " + delay.toSeconds(),
        "START REPLICA SQL_THREAD");
  }

  /** How many cells that were told visible a server of c1 has not got. */
  private long lacking(MySqlServer server, OwnWrites writes) throws SQLException {
    long lacking = 0;
    try (var look = new OwnLook(stack)) {
      for (var read : writes.soFar()) {
        if (clusterOf(read).equals("c1")
            && read.told().equals("Visible")
            && !look.isVisible(server, read.key())) {
          lacking++;
        }
      }
    }
    Report.line("own writes, promotion: %d cells were told visible and are lost", lacking);
    return lacking;
  }

  private String clusterOf(Read read) {
    var topology = stack.topology();
    return topology.clusterOf(topology.shards().of(read.key().rowKey())).name();
  }

  private static NewCell cell(CellKey key) throws Exception {
    return NewCell.of(key.rowKey(), key.columnName(), key.refKey(), "{\"n\":1}");
  }

  private static String address(MySqlServer server) {
    return server.server().address();
  }

  private static void report(String name, List<Read> reads) {
    Report.line("own writes, %s: %s", name, OwnWrites.counts(reads));
    Report.line(
        "own writes, %s: p50 and p99 of writes %d and %d ms, of reads %d and %d ms",
        name,
        at(50, reads.stream().map(Read::write).sorted().toList()),
        at(99, reads.stream().map(Read::write).sorted().toList()),
        at(50, reads.stream().map(Read::read).sorted().toList()),
        at(99, reads.stream().map(Read::read).sorted().toList()));
  }

  private static double seconds(long begun) {
    return (System.nanoTime() - begun) / 1e9;
  }

  private static long at(int percent, List<Duration> sorted) {
    return sorted.get((sorted.size() * percent - 1) / 100).toMillis();
  }
}
