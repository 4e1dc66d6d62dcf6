package io.cellmesh.triggers;

import static java.util.stream.Collectors.joining;

import io.cellmesh.topics.trigger.Order;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;

/** A process that owns one partition; a cell is written {@code shard/id}. */
final class OneProcess {
  static final TopicPartition AT = new TopicPartition("trips.log", 3);
  static final Exception FAILURE = new IllegalStateException("down");
  static final int LIMIT = 3;

  final Dispatcher dispatcher;
  final List<Batch> running = new ArrayList<>();
  Instant now = Instant.EPOCH;
  long offset = 100;

  OneProcess(Settings settings) {
    this(settings, new Assignment(100, "", Set.of(), Map.of()));
  }

  OneProcess(Settings settings, Assignment assignment) {
    dispatcher = new Dispatcher(settings);
    dispatcher.assign(AT, assignment);
  }

  static Settings settings(Order order) {
    return settings(order, 8, 1);
  }

  static Settings settings(Order order, int concurrency, int batch) {
    return settings(order, concurrency, batch, true, new Bounds(1_000, 1_000_000, 2));
  }

  static Settings settings(
      Order order, int concurrency, int batch, boolean rowsFollow, Bounds bounds) {
    return new Settings(
        order,
        concurrency,
        batch,
        cell -> cell.column.equals("BASE"),
        rowsFollow,
        30,
        bounds,
        new Retry(
            LIMIT,
            Duration.ofHours(1),
            Duration.ofSeconds(1),
            Duration.ofSeconds(8),
            List.of(UnsupportedOperationException.class),
            new Random(1)));
  }

  /** Replays of a process that calls back for nothing. */
  static Replays replays(
      TriggerOptions options,
      SharedDispatcher dispatcher,
      TriggerFigures figures,
      Supplier<Consumer<byte[], byte[]>> clients) {
    return new Replays(
        options, dispatcher, cell -> {}, settings(Order.ROW).retry(), figures, clients);
  }

  static UUID row(int number) {
    return new UUID(0, number);
  }

  OneProcess read(int shard, long id, int row) {
    return read(offset++, shard, id, row, "BASE", false);
  }

  OneProcess read(long at, int shard, long id, int row, String column, boolean rebuilt) {
    dispatcher.read(AT, new Delivery(at, shard, id, row(row), column, rebuilt, 10, null), now);
    return this;
  }

  /** Begins what can begin, and says which cells. */
  List<String> begin() {
    var batches = new ArrayList<Batch>();
    dispatcher.next(now, batches);
    running.addAll(batches);
    return batches.stream().map(OneProcess::name).toList();
  }

  OneProcess succeed() {
    dispatcher.succeeded(running.remove(0), now);
    return this;
  }

  OneProcess fail(Exception failure) {
    dispatcher.failed(running.remove(0), failure, now);
    return this;
  }

  /** Has those of the oldest batch fail that are named. */
  OneProcess failSome(String... cells) {
    var batch = running.remove(0);
    var failures = new HashMap<TriggeredCell, Exception>();
    for (var cell : batch.cells) {
      if (List.of(cells).contains(name(cell))) {
        failures.put(new TriggeredCell(AT, cell, null), FAILURE);
      }
    }
    dispatcher.failed(batch, new BatchFailedException(failures), now);
    return this;
  }

  /** Has the only cell that can begin fail until it is to be parked. */
  OneProcess useUp() {
    for (int i = 0; i < LIMIT; i++) {
      fail(FAILURE);
      now = now.plusSeconds(10);
      if (i < LIMIT - 1) {
        begin();
      }
    }
    return this;
  }

  Parking park() {
    return dispatcher.park(now).orElseThrow();
  }

  OneProcess pass(int seconds) {
    now = now.plusSeconds(seconds);
    return this;
  }

  /** The offset up to which all is finished. */
  long progress() {
    return dispatcher.commit(AT).map(Commit::offset).orElse(100L);
  }

  OneProcess commit() {
    dispatcher.commit(AT).ifPresent(commit -> dispatcher.committed(AT, commit));
    return this;
  }

  /** Another process that takes the partition over with what this one would commit. */
  OneProcess successor(Settings settings) {
    var commit = dispatcher.commit(AT).orElseThrow();
    var next =
        new OneProcess(
            settings, new Assignment(commit.offset(), commit.metadata(), Set.of(), Map.of()));
    next.offset = commit.offset();
    return next;
  }

  static List<String> names(Parking parking) {
    return parking.cells().stream()
        .map(parked -> name(parked.cell()) + " " + parked.verdict())
        .toList();
  }

  private static String name(Batch batch) {
    return batch.cells.stream().map(OneProcess::name).collect(joining(" "));
  }

  private static String name(Delivery cell) {
    return cell.shard + "/" + cell.addedId;
  }
}
