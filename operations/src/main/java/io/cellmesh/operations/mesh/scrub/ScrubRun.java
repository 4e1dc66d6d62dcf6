package io.cellmesh.operations.mesh.scrub;

import static java.util.stream.Collectors.toCollection;

import io.cellmesh.cell.CellDigest;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.cell.proof.OriginShard;
import io.cellmesh.cell.proof.TableComparison;
import io.cellmesh.cell.proof.TableVerdict;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.storage.MySqlErrors;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.replication.ServerRole;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at one partition's tables after the other, until its first failure that is not a server's.
 *
 * <p>What the log had before the tables are read must be in each server that has executed all that
 * the master had then; a minion that lags is compared as far as it is. What the log has after they
 * were read tells what is extra or changed.
 */
final class ScrubRun implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ScrubRun.class);

  /** A partition is not looked at more often. */
  private static final Duration INTERVAL = Duration.ofSeconds(15);

  /** While there is nothing to do; the group is joined meanwhile. */
  private static final Duration REST = Duration.ofMillis(500);

  private static final int PAGE = 500;
  private static final int TOLD = 3;

  private final Supplier<Topology> map;
  private final KafkaAccess kafka;
  private final Pools pools;
  private final int rowsPerSecond;
  private final ScrubFigures figures;
  private final LookOrder order;
  private final ScrubShare share;
  private final KafkaProducer<byte[], byte[]> producer;
  private final CellDigest digests = new CellDigest();

  /** What was told in the log last, of each partition. */
  private final Map<Integer, List<TableVerdict.OfServer>> told = new HashMap<>();

  /** What came of the last look at each partition, by whomever. */
  private final Map<Integer, TableVerdict> last = new HashMap<>();

  ScrubRun(
      Supplier<Topology> map,
      KafkaAccess kafka,
      Pools pools,
      int rowsPerSecond,
      ScrubFigures figures,
      LookOrder order) {
    this.map = map;
    this.kafka = kafka;
    this.pools = pools;
    this.rowsPerSecond = rowsPerSecond;
    this.figures = figures;
    this.order = order;
    this.share = new ScrubShare(kafka, map.get());
    this.producer = producer(kafka);
  }

  /**
   * Looks at the partition that was looked at longest ago.
   *
   * @return how long to rest
   */
  Duration turn() throws InterruptedException {
    var partitions = share.partitions();
    figures.keep(partitions);
    for (int partition : order.share(partitions)) {
      learn(partition);
    }
    var next = order.next(INTERVAL);
    if (next.isEmpty()) {
      return REST;
    }
    look(next.get());
    return Duration.ZERO;
  }

  @Override
  public void close() {
    try (digests;
        share) {
      producer.close(Duration.ZERO);
    }
  }

  /** Finds out when a partition was looked at that this process has not had. */
  private void learn(int partition) {
    var verdicts = new ArrayList<TableVerdict>();
    share.begin(partition);
    boolean whole =
        share.readToEnd(
            partition,
            (key, value) ->
                TableVerdict.read(text(key), value)
                    .filter(verdict -> verdict.partition() == partition)
                    .ifPresent(verdicts::add));
    if (whole) {
      var newest = verdicts.stream().reduce((before, verdict) -> verdict);
      newest.ifPresent(figures::told);
      newest.ifPresent(verdict -> last.put(partition, verdict));
      order.add(partition, newest.map(ScrubRun::age));
    }
  }

  private static Duration age(TableVerdict verdict) {
    return Duration.ofMillis(System.currentTimeMillis() - verdict.at());
  }

  private void look(int partition) throws InterruptedException {
    long begun = System.nanoTime();
    var topology = map.get();
    var comparison = new TableComparison();
    order.looked(partition);
    share.begin(partition);
    if (!share.readToEnd(partition, comparison::log)) {
      return;
    }
    if (!comparison.knows(partition)) {
      // Nobody folds the log here: there is nothing to hold the tables against.
      return;
    }
    var looks = new ArrayList<Look>();
    for (var cluster : topology.clusters()) {
      looks.addAll(look(topology, cluster, shards(topology, cluster, partition), comparison));
    }
    if (share.readToEnd(partition, comparison::log)) {
      var before = Optional.ofNullable(last.get(partition));
      var servers = looks.stream().map(look -> look.against(comparison, before)).toList();
      tell(partition, Duration.ofNanos(System.nanoTime() - begun), servers);
    }
  }

  /** What was read of a server, or why it was not. */
  private record Look(
      Server server,
      Set<Integer> shards,
      Optional<ServerScrub.Read> read,
      String why,
      Map<OriginShard, Long> expected) {
    /**
     * @param before what came of the look before this one
     */
    TableVerdict.OfServer against(TableComparison comparison, Optional<TableVerdict> before) {
      return read.map(
              found ->
                  TableVerdict.OfServer.read(
                      server.address(),
                      found.rows(),
                      comparison.differences(found.buckets(), shards, expected)))
          .orElseGet(
              () ->
                  TableVerdict.OfServer.unread(
                      server.address(),
                      why,
                      before
                          .map(verdict -> verdict.readAt(server.address()))
                          .orElse(OptionalLong.empty())));
    }
  }

  private List<Look> look(
      Topology topology, StorageCluster cluster, Set<Integer> shards, TableComparison comparison)
      throws InterruptedException {
    if (shards.isEmpty()) {
      return List.of();
    }
    // In this order: what the log has, the master has executed.
    var expectation = new Expectation(comparison.reached(), role(cluster.master()));
    var looks = new ArrayList<Look>();
    for (var server : cluster.servers()) {
      looks.add(look(topology, server, shards, expectation.of(role(server))));
    }
    return looks;
  }

  private Look look(
      Topology topology, Server server, Set<Integer> shards, Map<OriginShard, Long> expected)
      throws InterruptedException {
    int page = Math.min(PAGE, rowsPerSecond);
    var scrub = new ServerScrub(topology, pools, page, digests, this::rest);
    try {
      var read = scrub.read(server, shards);
      return new Look(server, shards, Optional.of(read), "", expected);
    } catch (SQLException e) {
      return new Look(server, shards, Optional.empty(), MySqlErrors.explain(e), expected);
    }
  }

  private static Set<Integer> shards(Topology topology, StorageCluster cluster, int partition) {
    return IntStream.range(0, topology.shards().count())
        .filter(shard -> topology.shards().partitionOf(shard) == partition)
        .filter(shard -> topology.clusterOf(shard).equals(cluster))
        .boxed()
        .collect(toCollection(TreeSet::new));
  }

  /** What a server is and has; empty if it does not answer. */
  private Optional<ServerRole> role(Server server) {
    try {
      return Optional.of(pools.ask(server, ServerRole::of));
    } catch (SQLException e) {
      return Optional.empty();
    }
  }

  /** Keeps the pace, and the place in the group. */
  private void rest(int rows) throws InterruptedException {
    figures.read(rows);
    share.partitions();
    TimeUnit.MICROSECONDS.sleep(rows * 1_000_000L / rowsPerSecond);
  }

  private void tell(int partition, Duration took, List<TableVerdict.OfServer> servers)
      throws InterruptedException {
    var verdict = new TableVerdict(partition, System.currentTimeMillis(), took, servers);
    var topic = map.get().topics().checkpoint();
    var key = verdict.key().getBytes(StandardCharsets.UTF_8);
    try {
      producer.send(new ProducerRecord<>(topic, partition, key, verdict.value())).get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof KafkaException cause ? cause : new KafkaException(e.getCause());
    }
    order.looked(partition);
    last.put(partition, verdict);
    figures.told(verdict);
    log(verdict);
  }

  /** Says what is new, once. */
  private void log(TableVerdict verdict) {
    var wrong =
        verdict.servers().stream()
            .filter(server -> server.found() > 0)
            .sorted(Comparator.comparing(TableVerdict.OfServer::address))
            .map(
                server ->
                    new TableVerdict.OfServer(
                        server.address(),
                        "",
                        OptionalLong.empty(),
                        0,
                        server.found(),
                        server.differences()))
            .toList();
    var before = told.put(verdict.partition(), wrong);
    if (wrong.equals(before) || wrong.isEmpty() && before == null) {
      return;
    }
    if (wrong.isEmpty()) {
      LOG.info("The tables of partition {} are as the log again", verdict.partition());
    }
    for (var server : wrong) {
      LOG.error(
          "The tables at {} are not as the log in {} places of {}: {}",
          server.address(),
          server.found(),
          map.get().instance(),
          server.differences().stream().limit(TOLD).map(found -> found.text()).toList());
    }
  }

  private static String text(byte[] key) {
    return new String(key, StandardCharsets.UTF_8);
  }

  private static KafkaProducer<byte[], byte[]> producer(KafkaAccess kafka) {
    var settings = kafka.quiet();
    settings.put(ProducerConfig.ACKS_CONFIG, "all");
    settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, KafkaAccess.ANSWER_MS);
    settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, KafkaAccess.ANSWER_MS / 2);
    settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, KafkaAccess.ANSWER_MS);
    settings.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 4L << 20);
    return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }
}
