package io.cellmesh.connect.sink.simulation;

import io.cellmesh.cell.Topology;
import io.cellmesh.connect.sink.SimulatedSink;
import io.cellmesh.connect.sink.SimulatedSink.Ground;
import io.cellmesh.connect.sink.base.Original;
import io.cellmesh.connect.sink.simulation.ModelledKafka.Log;
import io.cellmesh.storage.IngestTopic;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * A Connect worker with one task, as {@code WorkerSinkTask} of Kafka 4.3 drives it: a delivery that
 * failed comes again, seeks that were asked for are applied before the next poll, and what a commit
 * leaves out is committed as it was last known. A rebalance takes all partitions, also those that
 * the task gets back. It takes away what is to come again, and leaves how far that reached: with
 * the next delivery it counts as consumed.
 */
final class SinkWorker {
  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long ASKED = TimeUnit.SECONDS.toNanos(1);

  private final World world;
  private final Topology topology;
  private final int number;
  private final VirtualTime time;
  private final Random random;
  private final ModelledClient client;
  private final SimulatedSink sink;
  private final TreeSet<Integer> owned = new TreeSet<>();
  private final TreeSet<Integer> coming = new TreeSet<>();
  private final TreeMap<Integer, Runnable> going = new TreeMap<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private boolean stopping;

  // As in WorkerSinkTask.
  private final Map<TopicPartition, Long> position = new LinkedHashMap<>();
  private final Map<TopicPartition, Long> current = new HashMap<>();
  private final Map<TopicPartition, Long> lastCommitted = new HashMap<>();
  private final Map<TopicPartition, Long> rewinds = new LinkedHashMap<>();

  /** {@code origOffsets} there. */
  private final Map<TopicPartition, Long> converted = new HashMap<>();

  private List<SinkRecord> redelivered = List.of();
  private long commitAt;
  private long askedAt;
  private RuntimeException failure;

  SinkWorker(World world, Topology topology, int number) {
    this.world = world;
    this.topology = topology;
    this.number = number;
    this.time = world.time;
    this.random = world.random;
    this.client = new ModelledClient(world, topology);
    this.sink =
        new SimulatedSink(
            new Ground(
                topology,
                client,
                new ModelledBuffers(world, client),
                new ModelledLedger(client),
                client,
                time,
                new Random(world.random.nextLong()),
                this::rejected,
                at -> world.kafka.log(at).start,
                ModelledKafka::topicId,
                this::fetch),
            1);
  }

  void gets(int partition) {
    coming.add(partition);
  }

  void loses(int partition, Runnable then) {
    going.put(partition, then);
  }

  boolean isStopping() {
    return stopping;
  }

  void stop() {
    stopping = true;
  }

  CompletableFuture<Void> ended() {
    return ended;
  }

  void haunt(long nanos) {
    client.pausedUntil = time.nanoTime() + nanos;
    stopping = true;
  }

  void start() {
    time.execute(0, this::work);
    time.execute(0, () -> beside(1000, this::reap));
    time.execute(0, () -> beside(1000, sink::tell));
  }

  private void reap() {
    try {
      sink.reap();
    } catch (SQLException | RuntimeException e) {
      world.tell(this + " can't reap: " + e.getMessage());
    }
  }

  private void beside(int millis, Runnable work) {
    while (!ended.isDone()) {
      time.sleep((millis + random.nextInt(millis)) * MILLI);
      if (!ended.isDone()) {
        work.run();
      }
    }
  }

  private void work() {
    commitAt = time.nanoTime();
    try {
      while (!stopping) {
        rebalance();
        iterate();
      }
      // A task that is stopped commits; one that was taken for dead is told that it may not.
      if (failure == null && !owned.isEmpty()) {
        commit(owned);
      }
      sink.close(all(owned));
    } catch (ConnectException e) {
      failed(e);
    } catch (RuntimeException e) {
      world.time.end(new AssertionError(this + " failed: " + e, e));
      throw new VirtualTime.Over();
    } finally {
      sink.close();
      ended.complete(null);
    }
  }

  private void failed(ConnectException e) {
    world.tell(this + " failed: " + e.getMessage());
    var text = String.valueOf(e.getMessage());
    if (text.contains("retention is over") || text.contains("is not the topic")) {
      throw world.violated("a false alarm: " + text);
    }
    stopping = true;
    world.group.failed(this);
  }

  private void rebalance() {
    if (!owned.isEmpty() && !(going.isEmpty() && coming.isEmpty())) {
      commit(owned);
      sink.close(all(owned));
      all(owned).forEach(this::forget);
      redelivered = List.of();
      coming.addAll(owned);
      owned.clear();
    }
    while (!going.isEmpty()) {
      var one = going.pollFirstEntry();
      coming.remove(one.getKey());
      one.getValue().run();
    }
    if (!coming.isEmpty()) {
      var opened = List.copyOf(coming);
      coming.clear();
      owned.addAll(opened);
      for (var at : all(opened)) {
        long committed = world.kafka.log(at).committed;
        position.put(at, committed);
        current.put(at, committed);
        lastCommitted.put(at, committed);
      }
      sink.open(all(opened));
      commitAt = time.nanoTime();
    }
  }

  private void forget(TopicPartition at) {
    position.remove(at);
    current.remove(at);
    lastCommitted.remove(at);
    rewinds.remove(at);
  }

  private void iterate() {
    if (time.nanoTime() >= commitAt && !owned.isEmpty()) {
      commit(owned);
      commitAt = time.nanoTime() + (500 + random.nextInt(6000)) * MILLI;
    }
    rewinds.forEach(
        (at, offset) -> {
          if (position.containsKey(at)) {
            position.put(at, offset);
            current.put(at, offset);
            lastCommitted.put(at, offset);
          }
        });
    rewinds.clear();
    var records = redelivered.isEmpty() ? poll() : redelivered;
    if (records.isEmpty()) {
      time.sleep((20 + random.nextInt(500)) * MILLI);
    }
    if (failure != null) {
      throw failure;
    }
    if (owned.isEmpty()) {
      return;
    }
    try {
      sink.put(records, rewinds::putAll);
      redelivered = List.of();
      converted.keySet().retainAll(current.keySet());
      current.putAll(converted);
      converted.clear();
    } catch (RetriableException e) {
      redelivered = records;
      time.sleep((50 + random.nextInt(500)) * MILLI);
    }
    if (sink.isBehind() && time.nanoTime() - askedAt >= ASKED) {
      askedAt = time.nanoTime();
      commitAt = time.nanoTime();
    }
  }

  private List<SinkRecord> poll() {
    var records = new ArrayList<SinkRecord>();
    for (var entry : position.entrySet()) {
      var log = world.kafka.log(entry.getKey());
      if (entry.getValue() < log.start) {
        entry.setValue(log.start);
      }
      var some = ModelledKafka.read(log, entry.getValue(), random.nextInt(12));
      entry.setValue(entry.getValue() + some.size());
      records.addAll(some);
      if (!some.isEmpty()) {
        converted.put(entry.getKey(), entry.getValue());
      }
    }
    return records;
  }

  private void commit(Collection<Integer> partitions) {
    var seen = new LinkedHashMap<TopicPartition, OffsetAndMetadata>();
    for (var at : all(partitions)) {
      seen.put(at, new OffsetAndMetadata(current.get(at)));
    }
    Map<TopicPartition, OffsetAndMetadata> secured;
    try {
      secured = sink.secured(seen);
    } catch (RetriableException e) {
      // Whoever names no offsets has none committed.
      return;
    } catch (RuntimeException e) {
      failure = e;
      return;
    }
    for (var at : seen.keySet()) {
      var proven = secured.get(at);
      if (proven != null && proven.offset() <= current.get(at)) {
        lastCommitted.put(at, proven.offset());
      }
      committed(world.kafka.log(at), lastCommitted.get(at));
    }
  }

  private void committed(Log log, long offset) {
    if (world.group.owns(this, log.at.partition())) {
      long before = log.committed;
      log.committed = offset;
      if (offset != before) {
        world.tell(this + " commits " + log.at + " " + before + " to " + offset);
      }
      if (offset > before) {
        world.checks.committed(log, before, offset);
      }
    }
  }

  private List<TopicPartition> all(Collection<Integer> partitions) {
    var all = new ArrayList<TopicPartition>();
    for (int partition : partitions) {
      for (var topic : IngestTopic.values()) {
        all.add(world.kafka.log(topic, partition).at);
      }
    }
    return all;
  }

  private void rejected(ProducerRecord<byte[], byte[]> letter) {
    if (world.muteUntil > time.nanoTime()) {
      throw new org.apache.kafka.common.errors.TimeoutException("nobody answers");
    }
    var at =
        new TopicPartition(header(letter, "topic"), Integer.parseInt(header(letter, "partition")));
    long offset = Long.parseLong(header(letter, "offset"));
    world.checks.told(world.kafka.log(at).records.get((int) offset), topology);
  }

  private static String header(ProducerRecord<byte[], byte[]> letter, String name) {
    return new String(
        letter.headers().lastHeader("__connect.errors." + name).value(), StandardCharsets.UTF_8);
  }

  private Optional<Original> fetch(TopicPartition at, long offset) {
    var log = world.kafka.log(at);
    return offset < log.start || offset >= log.end()
        ? Optional.empty()
        : Optional.of(Original.of(log.records.get((int) offset).record()));
  }

  String lanes() {
    return owned + " " + sink.lanes();
  }

  @Override
  public String toString() {
    return "task " + number;
  }
}
