package io.cellmesh.stack.chaos;

import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Topology;
import io.cellmesh.topics.LogTail;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads the log as it grows, and knows how long cells take to come out of it. While it can't be
 * read they wait, and it goes on where it was.
 */
final class LogDelays implements AutoCloseable {
  private final Supplier<Consumer<byte[], byte[]>> clients;
  private final Topology topology;
  private final Awaited cells = new Awaited();

  /** Which data centre a row's cells are produced in. */
  private final Map<UUID, String> origins = new ConcurrentHashMap<>();

  private final Queue<Arrival> arrivals = new ConcurrentLinkedQueue<>();

  /** Of each shard the highest origin_id of what was first written here. */
  private final Map<Integer, Long> own = new ConcurrentHashMap<>();

  /** How far the log was read, for its reader alone. */
  private final Map<TopicPartition, Long> reached = new HashMap<>();

  private final Watching watching;

  private LogDelays(Supplier<Consumer<byte[], byte[]>> clients, Topology topology) {
    this.clients = clients;
    this.topology = topology;
    this.watching = Watching.start("chaos-log", this::read);
  }

  /**
   * Begins at the present end.
   *
   * @param clients of the data centre's Kafka; each is closed here
   */
  static LogDelays start(Supplier<Consumer<byte[], byte[]>> clients, Topology topology) {
    return new LogDelays(clients, topology);
  }

  /**
   * A cell that was expected.
   *
   * @param since from when on, by {@link System#nanoTime}
   * @param delay until it came, or until now if it has not
   */
  record Arrival(String origin, long since, Duration delay) {}

  /** A cell was acknowledged just now, at its origin: its delay counts from here. */
  void expect(String origin, UUID row, long ref) {
    origins.putIfAbsent(row, origin);
    cells.expect(row, ref);
  }

  /** Those of some origins that were expected between two moments, whenever they came. */
  Stream<Arrival> between(Set<String> from, long begin, long end) {
    long now = System.nanoTime();
    var waiting =
        cells.waiting().entrySet().stream()
            .map(one -> arrival(one.getKey().row(), one.getValue(), now));
    return Stream.concat(waiting, arrivals.stream())
        .filter(one -> from.contains(one.origin))
        .filter(one -> one.since >= begin && one.since < end);
  }

  /** Of each shard the highest origin_id that was seen of cells that were first written here. */
  Map<Integer, Long> own() {
    return Map.copyOf(own);
  }

  /** How long the oldest expected cell has been waited for; zero if none is. */
  Duration oldest() {
    return cells.oldest();
  }

  /** The longest delay so far. */
  Duration longest() {
    return cells.longest();
  }

  @Override
  public void close() {
    watching.close();
  }

  private Arrival arrival(UUID row, long since, long now) {
    return new Arrival(origins.get(row), since, Duration.ofNanos(now - since));
  }

  private void note(UUID row, Duration delay) {
    long now = System.nanoTime();
    arrivals.add(arrival(row, now - delay.toNanos(), now));
  }

  private void noteOwn(LogRecord record) {
    record
        .cell()
        .origin()
        .filter(origin -> origin.datacenter().equals(topology.datacenter()))
        .ifPresent(origin -> own.merge(record.shard(), origin.id(), Math::max));
  }

  private void read(BooleanSupplier goesOn) {
    try (var client = clients.get();
        var log = new LogTail(client, topology, LogTail.Filter.ALL)) {
      reached.forEach(client::seek);
      while (goesOn.getAsBoolean()) {
        for (var record : log.poll()) {
          noteOwn(record);
          var key = record.cell().key();
          cells.arrived(key.rowKey(), key.refKey()).ifPresent(delay -> note(key.rowKey(), delay));
        }
        client.assignment().forEach(at -> reached.put(at, client.position(at)));
      }
    }
  }
}
