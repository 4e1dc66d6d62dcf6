package io.cellmesh.e2e.flood;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.storage.Pools;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Produces a cell now and then in one data centre, and looks when it is in the tables of another,
 * or of the same one. A few rows get one cell after the other, so that one question an interval
 * tells of all that have arrived.
 */
final class Probe implements AutoCloseable {
  private static final int ROWS = 4;

  /**
   * How much later a cell may be seen than it came, in every figure. With looks each 5 ms these
   * alone took about a seventh of two processors.
   */
  private static final long LOOK_MS = 25;

  private final Duration every;
  private final String column;
  private final Topology to;
  private final Pools pools;
  private final KafkaProducer<byte[], byte[]> producer;
  private final Map<UUID, Integer> rows = new HashMap<>();
  private final Map<UUID, ConcurrentLinkedQueue<Sent>> waiting = new ConcurrentHashMap<>();
  private final List<Arrived> arrived = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean closed;
  private volatile Exception failure;

  private record Sent(long ref, long at) {}

  /** A cell that is there, when it was sent, and how long it took. */
  private record Arrived(long at, long nanos) {}

  /**
   * @param from where cells are produced
   * @param to where they are looked for
   * @param pools of the second one
   * @param every from one cell to the next
   */
  Probe(DataCenter from, DataCenter to, Pools pools, Duration every) {
    this.every = every;
    this.column = "FROM_" + from.name().toUpperCase(Locale.ROOT);
    this.to = to.topology();
    this.pools = pools;
    this.producer =
        new KafkaProducer<>(
            from.kafka().client(), new ByteArraySerializer(), new ByteArraySerializer());
    for (var row : spread(this.to.shards())) {
      rows.put(row, this.to.shards().of(row));
      waiting.put(row, new ConcurrentLinkedQueue<>());
    }
    run("send", this::send);
    run("look", this::look);
  }

  /** Rows in partitions that are as far from each other as may be. */
  private static List<UUID> spread(Shards shards) {
    var rows = new ArrayList<UUID>();
    while (rows.size() < ROWS) {
      var row = UUID.randomUUID();
      int wanted = rows.size() * shards.partitions() / ROWS;
      if (shards.partitionOf(shards.of(row)) == wanted) {
        rows.add(row);
      }
    }
    return rows;
  }

  /** Forgets what has arrived. */
  void begin() {
    synchronized (arrived) {
      arrived.clear();
    }
  }

  /** A percentile of what has arrived since {@link #begin}, and of what waits still, as it is. */
  Duration percentile(double part) {
    var all = new ArrayList<Long>();
    synchronized (arrived) {
      arrived.forEach(one -> all.add(one.nanos()));
    }
    long now = System.nanoTime();
    waiting.values().forEach(queue -> queue.forEach(sent -> all.add(now - sent.at())));
    return percentile(part, all);
  }

  /**
   * A percentile of each minute's cells, by when they were sent, of those that have arrived since
   * {@link #begin}. A minute without any is left out.
   *
   * @param begun the beginning of the first minute, of {@link System#nanoTime}
   */
  List<Duration> byMinute(double part, long begun) {
    var minutes = new TreeMap<Long, List<Long>>();
    synchronized (arrived) {
      for (var one : arrived) {
        long minute = Math.floorDiv(one.at() - begun, TimeUnit.MINUTES.toNanos(1));
        minutes.computeIfAbsent(minute, m -> new ArrayList<>()).add(one.nanos());
      }
    }
    return minutes.tailMap(0L).values().stream().map(times -> percentile(part, times)).toList();
  }

  private static Duration percentile(double part, List<Long> nanos) {
    nanos.sort(null);
    return Duration.ofNanos(
        nanos.get((int) Math.min(nanos.size() - 1, (long) (part * nanos.size()))));
  }

  int count() {
    synchronized (arrived) {
      return arrived.size();
    }
  }

  /** Throws what it met. */
  void check() throws Exception {
    if (failure != null) {
      throw failure;
    }
  }

  private void send() throws Exception {
    long ref = 0;
    while (!closed) {
      ref++;
      for (var row : rows.keySet()) {
        waiting.get(row).add(new Sent(ref, System.nanoTime()));
        producer.send(record(row, ref));
        TimeUnit.MILLISECONDS.sleep(every.toMillis());
      }
    }
  }

  private ProducerRecord<byte[], byte[]> record(UUID row, long ref) throws InvalidCellException {
    var key = new CellKey(row, column, ref);
    return new ProducerRecord<>(
        to.topics().cells(),
        Envelope.key(key),
        Envelope.write(new Cell(key, Body.ofJson("{\"n\":1}"), Optional.empty())));
  }

  /** One question a cluster and look, for each is work for those who are measured. */
  private void look() throws Exception {
    var questions = new ArrayList<Question>();
    try {
      for (var cluster : to.clusters()) {
        var here = rows.keySet().stream().filter(row -> clusterOf(row).equals(cluster)).toList();
        if (!here.isEmpty()) {
          questions.add(new Question(pools.open(cluster.master()), here));
        }
      }
      while (!closed) {
        for (var question : questions) {
          ask(question);
        }
        TimeUnit.MILLISECONDS.sleep(LOOK_MS);
      }
    } finally {
      for (var question : questions) {
        question.connection().close();
      }
    }
  }

  private record Question(Connection connection, List<UUID> rows) {}

  private StorageCluster clusterOf(UUID row) {
    return to.clusterOf(rows.get(row));
  }

  /** Asks for the highest that is there of each row. */
  private void ask(Question question) throws SQLException {
    var sql =
        question.rows().stream()
            .map(
                row ->
                    "(SELECT COALESCE(MAX(ref_key), 0) FROM `%s_%04d`.entity WHERE row_key = UUID_TO_BIN('%s') AND column_name = '%s')"
                        .formatted(to.instance(), rows.get(row), row, column))
            .collect(Collectors.joining(", ", "SELECT ", ""));
    try (var statement = question.connection().createStatement();
        var found = statement.executeQuery(sql)) {
      found.next();
      for (int i = 0; i < question.rows().size(); i++) {
        note(question.rows().get(i), found.getLong(i + 1));
      }
    }
  }

  private void note(UUID row, long highest) {
    long now = System.nanoTime();
    var queue = waiting.get(row);
    while (!queue.isEmpty() && queue.peek().ref() <= highest) {
      var sent = queue.remove();
      synchronized (arrived) {
        arrived.add(new Arrived(sent.at(), now - sent.at()));
      }
    }
  }

  private interface Work {
    void run() throws Exception;
  }

  private void run(String what, Work work) {
    var thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              } catch (Exception e) {
                failure = e;
              }
            },
            "probe-%s-%s".formatted(column, what));
    threads.add(thread);
    thread.start();
  }

  @Override
  public void close() {
    closed = true;
    try {
      for (var thread : threads) {
        thread.interrupt();
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    producer.close(Duration.ofSeconds(5));
  }
}
