package io.cellmesh.connect.sink;

import io.cellmesh.cell.InstanceNames;
import io.cellmesh.connect.sink.base.DaemonThreads;
import io.cellmesh.connect.sink.base.Held;
import io.cellmesh.connect.sink.base.Rejections;
import io.cellmesh.storage.CopyReaper;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.Nodes;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.SqlBufferStore;
import io.cellmesh.storage.SqlConflictLedger;
import io.cellmesh.storage.SqlPrimaryStore;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTaskContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A task's core with all that it holds, built once when the task starts. */
final class StartedCellSink implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StartedCellSink.class);
  private static final String THREAD = "cellmesh-sink";

  /** Between two looks for servers that were down when they were to be checked. */
  private static final Duration PAUSE_OF_CHECKS = Duration.ofSeconds(1);

  /** Between two looks for conflicts that can be told. */
  private static final Duration TELLING = Duration.ofSeconds(1);

  private final Held held;
  private final DaemonThreads threads;
  private final SinkMetrics metrics;
  private final StartChecks checks;
  private final RecordDecoder decoder;
  private final Housekeeping housekeeping;
  private final ConflictTeller teller;
  private final CommittedOffsets committed;
  private final String group;
  private final CellSink core;
  private Future<?> checking = CompletableFuture.completedFuture(null);
  private long nextCheck = System.nanoTime();

  private StartedCellSink(CellSinkConfig config, SinkTaskContext context, Held held) {
    this.held = held;
    var topology = config.topology();
    var pools = new Pools(config.credentials(), config.mysql().withMultiStatements());
    var nodes = held.add(new Nodes(pools));
    var checkThreads = held.add(new StartCheckThreads(THREAD + "-check"));
    this.checks = StartChecks.of(config, nodes, checkThreads, LOG::warn);
    checks.run();
    refuse();
    this.metrics = held.add(SinkMetrics.of(context, topology));
    var rejections = held.add(Rejections.of(config, metrics::rejectedWithoutValue));
    var topicIds = new TopicIds(config.kafka());
    var lanes = new Lanes(topology);
    var primaries = new SqlPrimaryStore(topology, nodes);
    var buffers = new SqlBufferStore(topology, nodes);
    this.decoder = held.add(new RecordDecoder(topology, config.bodyLimit(), rejections, metrics));
    var logStart = held.add(new LogStart(config.kafka()));
    this.group = InstanceNames.cellSink(topology.instance());
    this.committed = held.add(new CommittedOffsets(config.kafka(), group));
    this.threads = held.add(new DaemonThreads(THREAD));
    this.housekeeping =
        held.add(
            new Housekeeping(
                topology,
                nodes,
                new CopyReaper(topology, primaries, buffers, checks::sound),
                lanes,
                metrics,
                THREAD));
    this.core =
        new SinkEnvironment(
                topology,
                primaries,
                buffers,
                nodes,
                threads,
                new Random(),
                rejections,
                logStart,
                topicIds,
                metrics)
            .core(lanes, decoder, config.copies(), config.turn());
    this.teller =
        held.add(
            new ConflictTeller(
                topology,
                new SqlConflictLedger(topology, nodes),
                Rejections.of(config, metrics::rejectedWithoutValue),
                topicIds,
                new IngestRecords(config.kafka()),
                threads::nanoTime,
                metrics));
    housekeeping.start(config.reapInterval());
    teller.start(TELLING, lanes::partitions);
  }

  /**
   * Starts a task's core. What it has begun ends again if it fails.
   *
   * @throws ConnectException if a reachable cluster was created with other fixed values, or a
   *     server could lose what it is given
   */
  static StartedCellSink start(CellSinkConfig config, SinkTaskContext context) {
    var held = new Held();
    try {
      return new StartedCellSink(config, context, held);
    } catch (RuntimeException | Error e) {
      held.closeAfter(e);
      throw e;
    }
  }

  /**
   * Looks whether copies still go.
   *
   * @throws ConnectException if an error has ended that
   */
  void checkHousekeeping() {
    housekeeping.check();
    teller.check();
  }

  /** The ingest topic of a name. */
  IngestTopic topicOf(String name) {
    return decoder.topicOf(name);
  }

  /** The ingest topic that a record came from. */
  IngestTopic topicOf(SinkRecord record) {
    return decoder.topicOf(record);
  }

  CellSink core() {
    return core;
  }

  CommittedOffsets committed() {
    return committed;
  }

  /** Says once that commits fail, and that they do no more. */
  void told(CommitPace.Found found) {
    switch (found) {
      case FAILED -> {
        LOG.warn(
            "Kafka has not taken the offsets that {} has committed; until it does, links bring no"
                + " more and who waits for cells is not told that they are secured. They are"
                + " committed again each second; the worker's log says why they fail",
            group);
        metrics.commitFailed();
      }
      case FAILED_AGAIN -> metrics.commitFailed();
      case TAKEN_AGAIN -> LOG.info("Kafka takes the offsets of {} again", group);
      case TAKEN -> LOG.trace("Kafka has the offsets of {}", group);
    }
  }

  @Override
  public void close() {
    held.close();
  }

  /**
   * Has servers judged that were down until now, which nobody waits for.
   *
   * @throws ConnectException naming everything that is wrong with those that were judged
   */
  void checkServers() {
    refuse();
    if (checks.pending() && checking.isDone() && threads.nanoTime() - nextCheck > 0) {
      nextCheck = threads.deadline(PAUSE_OF_CHECKS);
      checking = threads.submit(checks::run);
    }
  }

  private void refuse() {
    var refusals = checks.refusals();
    if (!refusals.isEmpty()) {
      throw new ConnectException(
          refusals.stream().map(StartChecks.Refusal::text).collect(Collectors.joining("\n")));
    }
  }
}
