package io.cellmesh.operations.mesh.joining;

import io.cellmesh.cell.MeshPlace;
import io.cellmesh.cell.RememberedLog;
import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Seed;
import io.cellmesh.deployment.SeedTopic;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.OperationListener.Step;
import io.cellmesh.operations.instance.InstanceTopics;
import io.cellmesh.operations.instance.TopicPlan;
import io.cellmesh.operations.mesh.TableSource;
import io.cellmesh.storage.Pools;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.TopicOffsets;
import io.cellmesh.topics.load.Pace;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Writes a peer's own cells for a data centre that joins, into {@code trips.seed.DC} on the peer's
 * brokers: of each partition first where the log will go on, its end of now, then the cells of one
 * shard after the other in the order of their added_ids, then that this is all.
 *
 * <p>It may be interrupted anywhere and begun again: what a partition has says what comes next. A
 * seed that goes with another log, or whose log no longer goes on, is deleted and begun anew.
 */
final class SeedWriter {
  /** Cells that are committed together, at most. */
  private static final int MOST = 1_000;

  /** How long a transaction may take at a low rate. */
  private static final int SECONDS = 5;

  /** How long a topic may take to go. */
  private static final Duration GONE = Duration.ofSeconds(30);

  private final DataCenter peer;
  private final String datacenter;
  private final TopicPlan plan;
  private final double rate;
  private final int chunk;
  private final Topology topology;
  private final SeedTopic topic;

  /**
   * @param datacenter that joins
   * @param plan of the topics at the peer
   * @param rate cells a second at most; 0 for as fast as possible
   */
  SeedWriter(DataCenter peer, String datacenter, TopicPlan plan, double rate) {
    this.peer = peer;
    this.datacenter = datacenter;
    this.plan = plan;
    this.rate = rate;
    this.chunk = rate > 0 ? (int) Math.max(1, Math.min(MOST, rate * SECONDS)) : MOST;
    this.topology = peer.topology();
    this.topic = new SeedTopic(peer.kafka(), topology.topics().seed(datacenter));
  }

  /**
   * Returns when these partitions have all.
   *
   * @param log of the peer
   * @return how many cells it wrote
   * @throws OperationException if another one writes it now, or a master does not answer
   * @throws SQLException if a server fails
   */
  long run(Set<Integer> partitions, RememberedLog log, Step step)
      throws SQLException, InterruptedException {
    try (var producer = new SeedProducer(peer, datacenter)) {
      var parts = parts(usable(partitions, log, step), partitions);
      var open = parts.stream().filter(part -> !part.complete()).toList();
      if (open.isEmpty()) {
        return 0;
      }
      var logs = begin(producer, open, log);
      try (var pools = new Pools(peer.reader())) {
        // Asked after the log's ends were noted, however long ago that was.
        var source = TableSource.open(topology, pools);
        return write(producer, source, open, logs, step);
      }
    }
  }

  /** The one that is there, unless it is of no use any more. */
  private Seed usable(Set<Integer> partitions, RememberedLog log, Step step)
      throws InterruptedException {
    try (var admin = Consumers.admin(peer.kafka());
        var client = Consumers.open(peer.kafka())) {
      var topics = new InstanceTopics(admin, plan);
      topics.createForSeed(datacenter);
      var seed = read();
      var offsets = TopicOffsets.of(client, topology.topics().log());
      if (parts(seed, partitions).stream().noneMatch(part -> isUseless(part, log, offsets))) {
        return seed;
      }
      step.detail("begins anew: the log no longer has what comes behind the seed");
      delete(admin, topic.topic());
      topics.createForSeed(datacenter);
      return read();
    }
  }

  private static boolean isUseless(Seed.Part part, RememberedLog log, TopicOffsets offsets) {
    return part.log().isPresent()
        && (!part.goesWith(log) || part.log().get().next() < offsets.begin(part.partition()));
  }

  /**
   * Deletes a topic, and returns when it is gone.
   *
   * @return false if it was not there
   * @throws OperationException if it is still there after half a minute
   */
  static boolean delete(Admin admin, String topic) throws InterruptedException {
    try {
      admin.deleteTopics(Set.of(topic)).all().get();
      long begun = System.nanoTime();
      while (admin.listTopics().names().get().contains(topic)) {
        if (System.nanoTime() - begun > GONE.toNanos()) {
          throw OperationException.unavailable(
              "%s is still there %d s after it was deleted; run this again"
                  .formatted(topic, GONE.toSeconds()));
        }
        Thread.sleep(100);
      }
      return true;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        return false;
      }
      throw new KafkaException(topic + ": " + e.getCause().getMessage(), e.getCause());
    }
  }

  /** Notes where the log goes on, in the partitions where that is not noted; returns all. */
  private Map<Integer, MeshPlace> begin(
      SeedProducer producer, List<Seed.Part> parts, RememberedLog log) throws SQLException {
    var logs = new TreeMap<Integer, MeshPlace>();
    var marks = new TreeMap<Integer, MeshPlace>();
    try (var client = Consumers.open(peer.kafka())) {
      var ends = TopicOffsets.of(client, topology.topics().log());
      for (var part : parts) {
        int partition = part.partition();
        part.log()
            .ifPresentOrElse(
                place -> logs.put(partition, place),
                () -> marks.put(partition, new MeshPlace(log, ends.end(partition))));
      }
    }
    if (!marks.isEmpty()) {
      producer.commit(() -> producer.mark(marks, false));
    }
    logs.putAll(marks);
    return logs;
  }

  private long write(
      SeedProducer producer,
      TableSource source,
      List<Seed.Part> parts,
      Map<Integer, MeshPlace> logs,
      Step step)
      throws SQLException {
    var pace = new Pace(rate, System::nanoTime);
    int each = topology.shards().count() / topology.shards().partitions();
    long total = (long) parts.size() * each;
    long done = 0;
    long cells = 0;
    for (var part : parts) {
      var order = SeedOrder.of(part, topology.shards());
      done += each - order.shards().size();
      long after = order.after();
      for (int shard : order.shards()) {
        step.progress(done++, total);
        cells += write(producer, source, shard, after, pace);
        after = 0;
      }
      var end = Map.of(part.partition(), logs.get(part.partition()));
      producer.commit(() -> producer.mark(end, true));
    }
    step.progress(total, total);
    return cells;
  }

  private long write(SeedProducer producer, TableSource source, int shard, long after, Pace pace)
      throws SQLException {
    long cells = 0;
    var last = new AtomicLong(after);
    int count;
    do {
      count = producer.commit(() -> send(producer, source, shard, last, pace));
      cells += count;
    } while (count == chunk);
    return cells;
  }

  /** Sends the next cells of a shard; returns how many there were. */
  private int send(SeedProducer producer, TableSource source, int shard, AtomicLong last, Pace pace)
      throws SQLException {
    return source.read(
        shard,
        last.get(),
        chunk,
        cell -> {
          pace.await();
          producer.cell(cell);
          last.set(cell.addedId());
        });
  }

  private Seed read() throws InterruptedException {
    return topic
        .read()
        .orElseThrow(
            () -> OperationException.unavailable("%s is not there".formatted(topic.topic())));
  }

  private static List<Seed.Part> parts(Seed seed, Set<Integer> partitions) {
    return seed.parts().stream().filter(part -> partitions.contains(part.partition())).toList();
  }
}
