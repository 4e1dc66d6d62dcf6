package io.cellmesh.index;

import io.cellmesh.cell.InstanceNames;
import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.BrokerNames;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.deployment.Pass;
import io.cellmesh.deployment.PassTopic;
import io.cellmesh.health.AppCommand;
import io.cellmesh.health.AppLog;
import io.cellmesh.health.HealthOptions;
import io.cellmesh.index.TopicCheck.HaltedException;
import io.cellmesh.index.TopicCheck.UnusableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Starts the applications. Ends with 0 after SIGTERM, 1 after a failure, 2 if an option, a file or
 * a topic keeps it from being started. A Kafka that does not answer, or of which no name can be
 * resolved, is asked again and again.
 */
@Command(
    name = "index-streams",
    mixinStandardHelpOptions = true,
    description = "Keeps the indexes of an instance: reads its log, writes their entries.",
    footer = {"", AppLog.HELP})
public final class IndexStreamsMain implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(IndexStreamsMain.class);
  private static final long LOOK_MS = 1_000;
  private static final String NAMELESS = "no broker's name can be resolved";

  @Mixin private DataCenterOptions datacenter;

  @Option(
      names = "--state-dir",
      required = true,
      paramLabel = "DIR",
      description = "Where the state lies, of this process alone; made if missing.")
  private Path stateDir;

  @Option(
      names = "--threads",
      defaultValue = "1",
      description = "Stream threads of each pass (default: 1).")
  private int threads;

  @Option(
      names = "--standbys",
      defaultValue = "0",
      description = "Copies of the state that other processes keep up to date (default: 0).")
  private int standbys;

  @Option(
      names = "--replication",
      defaultValue = "-1",
      description = "Replication factor of the changelog topics (default: the broker's).")
  private int replication;

  @Mixin private HealthOptions health;

  private final CountDownLatch stop = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile Supplier<HealthReport> report =
      () -> new HealthReport(Optional.of(NAMELESS), Map.of(), Map.of());

  public static void main(String[] args) {
    System.exit(AppCommand.run(new IndexStreamsMain(), args));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    var dc = datacenter.open();
    var topology = dc.topology();
    AppLog.of("index-streams", topology.instance(), dc.name());
    var kafka = dc.kafka();
    Files.createDirectories(stateDir);
    var settings = new IndexSettings(kafka, stateDir, threads, standbys, replication);
    Runtime.getRuntime().addShutdownHook(new Thread(this::stop, "stop"));
    try {
      health.answer(() -> report.get());
      return awaitName(kafka) ? keep(topology, settings) : ExitCode.OK;
    } finally {
      ended.countDown();
    }
  }

  /** Until a client can be made, for which one name is enough; false if it is to stop. */
  private boolean awaitName(KafkaAccess kafka) throws InterruptedException {
    if (BrokerNames.areUnknown(kafka.bootstrap())) {
      LOG.error("Of {} {}; waits for one", kafka, NAMELESS);
    }
    while (BrokerNames.areUnknown(kafka.bootstrap())) {
      if (stop.await(LOOK_MS, TimeUnit.MILLISECONDS)) {
        return false;
      }
    }
    return true;
  }

  private int keep(Topology topology, IndexSettings settings) throws InterruptedException {
    var kafka = settings.kafka();
    var state = new LocalState(stateDir, InstanceNames.application(topology.instance(), ""));
    var damaged = new DamagedStates(state);
    try (var topics = new TopicCheck(kafka);
        var store = new PassTopic(kafka, topology.topics());
        var passes =
            new Passes(store, state, pass -> start(pass, topology, topics, settings, damaged))) {
      report = () -> HealthReport.of(passes);
      passes.look();
      if (passes.running().isEmpty() && isForGood(passes.refused())) {
        LOG.error("No pass of {} can be started", store);
        return ExitCode.USAGE;
      }
      LOG.info("Follows {}", store);
      follow(passes);
      return ExitCode.OK;
    }
  }

  /** Until it is to stop. */
  private void follow(Passes passes) throws InterruptedException {
    while (!stop.await(LOOK_MS, TimeUnit.MILLISECONDS)) {
      passes.look();
    }
  }

  private static RunningStreams start(
      Pass pass, Topology topology, TopicCheck check, IndexSettings settings, DamagedStates damaged)
      throws UnusableException, InterruptedException {
    var topics = topology.topics();
    var shards = topology.shards();
    var application = pass.applicationId(topology.instance());
    var rights = new PassRights(settings.kafka(), application, pass.sources(topics));
    try {
      check(pass, topology, check, damaged, application);
    } catch (KafkaException e) {
      throw rights.missing(e).map(KafkaException.class::cast).orElse(e);
    }
    var lagMs = new AtomicLong(-1);
    return new RunningStreams(
        IndexTopology.of(pass, topics, shards, lagMs),
        settings.properties(application),
        rights,
        lagMs,
        damage -> damaged.tell(pass.name(), damage));
  }

  /** What keeps it from starting, and where it begins. */
  private static void check(
      Pass pass, Topology topology, TopicCheck check, DamagedStates damaged, String application)
      throws UnusableException, InterruptedException {
    var topics = topology.topics();
    int partitions = topology.shards().partitions();
    var sources = pass.sources(topics);
    var partitioned = new HashSet<>(pass.outputs(topics));
    partitioned.addAll(sources);
    check.run(partitioned, partitions, Set.of(topics.unindexed()));
    var start = new PassStart(check);
    damaged.settle(pass.name(), partition -> start.footing(pass, application, partition));
    start.run(pass, application, sources, partitions);
  }

  /**
   * Whether no pass is refused because Kafka does not answer yet, or records are gone, which is
   * waited for.
   */
  private static boolean isForGood(Map<String, Exception> refused) {
    return !refused.isEmpty()
        && refused.values().stream()
            .noneMatch(e -> e instanceof KafkaException || e instanceof HaltedException);
  }

  /**
   * Waits until everything is closed. The JVM would end with 143 after its hooks; a stop that was
   * asked for is a success.
   */
  private void stop() {
    if (ended.getCount() == 0) {
      return;
    }
    stop.countDown();
    try {
      ended.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    LOG.info("Stopped");
    Runtime.getRuntime().halt(ExitCode.OK);
  }
}
