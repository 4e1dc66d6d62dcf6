package io.cellmesh.e2e.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.Names;
import io.cellmesh.cell.UuidBytes;
import io.cellmesh.e2e.faults.FaultStack;
import io.cellmesh.e2e.faults.Figures;
import io.cellmesh.e2e.faults.Report;
import io.cellmesh.storage.EntityTransaction.Result;
import io.cellmesh.storage.Position;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/** Per shard, the order of added_id, of the commits and of the log are one. */
public final class LogOrder {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final Duration WAITING = Duration.ofMillis(500);
  private static final int PRODUCERS = 8;

  private final FaultStack stack;
  private final LogFigures figures;

  public LogOrder(FaultStack stack, LogFigures figures) {
    this.stack = stack;
    this.figures = figures;
  }

  /** One holds its transaction open; without the position's lock the other would overtake it. */
  public void race() throws Exception {
    try (var instance = OwnInstance.create(stack, "race", "c1")) {
      instance.startSource();
      var writer = instance.writer();
      int shard = instance.shard();
      var position = writer.position(shard);
      var written = new CountDownLatch(1);
      var commit = new CountDownLatch(1);
      var first = writing(writer, shard, position, () -> hold(written, commit));
      written.await();
      var second = writing(writer, shard, position, () -> {});
      await().during(WAITING).atMost(SOON).until(() -> !second.isDone());
      commit.countDown();
      assertThat(first.join()).isInstanceOf(Result.Applied.class);
      var moved = (Result.Moved) second.join();
      var found = moved.found().get(stack.topology().shards().partitionOf(shard));
      assertThat(found).isEqualTo(writer.position(shard)).isNotEqualTo(position);
      assertThat(writer.write(shard, found, 1, () -> {})).isInstanceOf(Result.Applied.class);

      awaitLog(instance, 2);
      assertThat(instance.log().all().inversion()).isEmpty();
      Report.line(
          "race: the second waited and found %s, %s", found, instance.log().all().entries());
      crossWithoutTheLock(instance, shard);
    }
  }

  /** The same with plain inserts: the ids cross, and the log shows it. */
  private void crossWithoutTheLock(OwnInstance instance, int shard) throws SQLException {
    var keys = new RowKeys(Figures.seed());
    var shards = stack.topology().shards();
    try (var slow = stack.master(instance.cluster()).connect();
        var quick = stack.master(instance.cluster()).connect()) {
      slow.setAutoCommit(false);
      insert(slow, instance, shard, keys.next(shards, shard));
      insert(quick, instance, shard, keys.next(shards, shard));
      slow.commit();
    }
    awaitLog(instance, 4);
    var log = instance.log().all();
    assertThat(log.inversion()).isPresent();
    Report.line("race without the lock: %s", log.inversion().orElseThrow());
  }

  /** In a log of one topic a shard, each has its shard's cells and no other's. */
  void topicForEachShard() throws Exception {
    try (var instance = OwnInstance.create(stack, "apart", "c1")) {
      instance.startSource(Map.of("shard.topics", "topic"));
      for (int i = 0; i < 3; i++) {
        instance.writer().writeToEachShard(50);
      }
      var rows = EntityRows.of(instance.topology(), instance.storage(), stack.master("c1"));
      for (var shard : rows.entries().keySet()) {
        var topic = instance.topology().topics().log(shard);
        await(topic)
            .atMost(SOON)
            .ignoreExceptions()
            .untilAsserted(
                () -> {
                  var log = LogContents.read(stack, topic).all();
                  assertThat(log.entries()).isEqualTo(Map.of(shard, rows.entries().get(shard)));
                });
      }
      Report.line(
          "a topic a shard: %d cells, %d topics, each its shard in order",
          rows.size(), rows.entries().size());
    }
  }

  /** Through the sink into both clusters; the binlog files of the minions have the last word. */
  public void asTheBinlog() throws Exception {
    var before = new HashMap<String, String>();
    for (var cluster : stack.clusters()) {
      assertThat(cluster.minions().get(0).catchesUpWith(cluster.master(), SOON)).isTrue();
      before.put(cluster.name(), cluster.minions().get(0).gtidExecuted());
    }
    var from = LogContents.ends(stack, "trips.log");
    long start = System.nanoTime();
    new Producers(stack).produce(PRODUCERS, figures.cells(), Figures.seed());
    int cells = figures.cells() / PRODUCERS * PRODUCERS;
    await("as many records in the log")
        .atMost(SOON.plusSeconds(cells / 2_000))
        .pollInterval(Duration.ofMillis(500))
        .until(() -> records(from) >= cells);
    var took = Duration.ofNanos(System.nanoTime() - start);
    var log = LogContents.read(stack, "trips.log", from).all();
    assertThat(log.size()).isEqualTo(cells);
    assertThat(log.entries()).hasSize(stack.topology().shards().count());
    assertThat(log.inversion()).isEmpty();
    var binlog = new Shardwise();
    long transactions = 0;
    for (var cluster : stack.clusters()) {
      var account = BinlogAccount.of(cluster.minions().get(0), "trips", before.get(cluster.name()));
      account.cells().entries().forEach((shard, all) -> all.forEach(e -> binlog.add(shard, e)));
      transactions += account.transactions();
    }
    assertThat(log.difference(binlog)).isEmpty();
    Report.line(
        "order: %d producers, %d cells in %d shards, all in the log after %s; added_id rises in every shard; mysqlbinlog has the same %d in the same order, in %d transactions",
        PRODUCERS,
        log.size(),
        log.entries().size(),
        Report.text(took),
        binlog.size(),
        transactions);
  }

  private long records(List<Long> from) {
    return sum(LogContents.ends(stack, "trips.log")) - sum(from);
  }

  private static long sum(List<Long> offsets) {
    return offsets.stream().mapToLong(offset -> offset).sum();
  }

  private static void awaitLog(OwnInstance instance, long records) {
    await().atMost(SOON).until(() -> instance.log().all().size() == records);
  }

  private static CompletableFuture<Result> writing(
      DirectWriter writer, int shard, Position position, Runnable beforeCommit) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return writer.write(shard, position, 1, beforeCommit);
          } catch (SQLException e) {
            throw new IllegalStateException(e);
          }
        },
        task -> new Thread(task, "writer").start());
  }

  private static void hold(CountDownLatch written, CountDownLatch commit) {
    written.countDown();
    try {
      commit.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void insert(Connection connection, OwnInstance instance, int shard, UUID row)
      throws SQLException {
    var sql =
        "INSERT INTO %s.entity (row_key, column_name, ref_key, body, origin, created_at) VALUES (?, 'BASE', 1, ?, 'dc1', UTC_TIMESTAMP(6))"
            .formatted(Names.database(instance.topology().instance(), shard));
    try (var insert = connection.prepareStatement(sql)) {
      insert.setBytes(1, UuidBytes.of(row));
      insert.setBytes(2, DirectWriter.body(1).stored());
      insert.executeUpdate();
    }
  }
}
