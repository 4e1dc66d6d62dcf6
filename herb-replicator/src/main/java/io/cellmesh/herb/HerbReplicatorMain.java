package io.cellmesh.herb;

import io.cellmesh.cell.Names;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.deployment.MeshAccess;
import io.cellmesh.health.AppCommand;
import io.cellmesh.health.AppLog;
import io.cellmesh.health.HealthOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Starts the links. Ends with 0 after SIGTERM, 2 if an option or a file keeps it from being
 * started.
 */
@Command(
    name = "herb-replicator",
    mixinStandardHelpOptions = true,
    description = "Brings the cells of the peer data centres into this one's mesh topic.",
    footer = {"", AppLog.HELP})
public final class HerbReplicatorMain implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(HerbReplicatorMain.class);

  /** How often the files of a cohort are read; they count when two looks have read the same. */
  private static final Duration LOOK = Duration.ofSeconds(3);

  @Option(
      names = "--deployment",
      paramLabel = "FILE",
      description =
          "The cellmesh.yaml that says where everything is (default: the one that"
              + " CELLMESH_DEPLOYMENT names, then ./cellmesh.yaml); every other data centre in it"
              + " is a peer, reached with its own client settings.")
  private Optional<Path> deployment = Optional.empty();

  @Option(
      names = "--dc",
      paramLabel = "NAME",
      description = "This data centre, of those in the deployment.")
  private Optional<String> datacenter = Optional.empty();

  @Option(
      names = "--topology",
      paramLabel = "FILE",
      description =
          "This data centre's shard map, in place of --deployment, with --bootstrap and --peer.")
  private Optional<Path> topologyFile = Optional.empty();

  @Option(
      names = "--bootstrap",
      paramLabel = "HOST:PORT",
      description = "This data centre's Kafka.")
  private Optional<String> bootstrap = Optional.empty();

  @Option(
      names = "--peer",
      paramLabel = "DC=HOST:PORT",
      description = "A peer data centre and its Kafka; may be given several times.")
  private Map<String, String> peers = Map.of();

  @Option(
      names = "--cohorts",
      paramLabel = "FILE",
      description =
          "A list of instances, each with its deployment, in place of --deployment; what is added,"
              + " changed or removed in it counts within seconds.")
  private Optional<Path> cohorts = Optional.empty();

  @Mixin private HealthOptions health;

  public static void main(String[] args) {
    System.exit(AppCommand.run(new HerbReplicatorMain(), args));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (cohorts.isPresent()) {
      return together(cohorts.get());
    }
    var ends = topologyFile.isPresent() ? named() : deployed();
    var instance = ends.instance();
    AppLog.of("herb-replicator", instance, ends.topology().datacenter());
    var cohort = cohort();
    health.answer(() -> cohort.health().ofInstance(instance).orElseGet(cohort::health));
    cohort.become(CohortPlan.of(ends));
    var fault = cohort.health().instances().get(instance).fault();
    if (!fault.isEmpty()) {
      throw new IllegalArgumentException(fault);
    }
    stopWithSignal(cohort);
    while (!cohort.awaitClose(LOOK)) {
      // Its files are read once.
    }
    return ExitCode.OK;
  }

  private Integer together(Path file) throws IOException, InterruptedException {
    if (deployment.isPresent() || datacenter.isPresent() || topologyFile.isPresent()) {
      throw new IllegalArgumentException(
          "--cohorts stands in place of --deployment, --dc and --topology");
    }
    AppLog.of("herb-replicator");
    var cohort = cohort();
    var watch = new CohortWatch(new CohortFile(file), cohort);
    health.answer(cohort::health);
    watch.begin();
    stopWithSignal(cohort);
    while (!cohort.awaitClose(LOOK)) {
      watch.look();
    }
    return ExitCode.OK;
  }

  private static Cohort cohort() {
    var stagger = new Stagger();
    var turns = new SharedTurns();
    return new Cohort(ends -> InstanceParts.of(ends, stagger, turns));
  }

  /** From here on it is stopped, and does not fail. */
  private static void stopWithSignal(Cohort cohort) {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(cohort), "stop"));
  }

  private Ends deployed() throws IOException {
    var file =
        Deployment.find(deployment)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "where is everything? Give --deployment FILE, or --cohorts FILE, or"
                            + " --topology, --bootstrap and --peer"));
    return Ends.of(Deployment.read(file), datacenter, Optional.empty(), LinkLimits.ALONE);
  }

  private Ends named() throws IOException {
    if (deployment.isPresent() || datacenter.isPresent()) {
      throw new IllegalArgumentException("--topology stands in place of --deployment and --dc");
    }
    if (bootstrap.isEmpty() || peers.isEmpty()) {
      throw new IllegalArgumentException("--topology needs --bootstrap and at least one --peer");
    }
    var topology = TopologyYaml.parse(Files.readString(topologyFile.get()));
    for (var peer : peers.keySet()) {
      Names.check("--peer", peer);
      if (peer.equals(topology.datacenter())) {
        throw new IllegalArgumentException("--peer: " + peer + " is this data centre itself");
      }
    }
    var reached = new HashSet<>(peers.keySet());
    reached.add(topology.datacenter());
    var brokers = new TreeMap<String, Optional<KafkaAccess>>();
    peers.forEach((peer, address) -> brokers.put(peer, Optional.of(KafkaAccess.plain(address))));
    return new Ends(
        topology,
        KafkaAccess.plain(bootstrap.get()),
        MeshAccess.USUAL,
        Optional::empty,
        brokers,
        reached,
        LinkLimits.ALONE);
  }

  /** The JVM would end with 143 after its hooks; a stop that was asked for is a success. */
  private static void stop(Cohort cohort) {
    cohort.close();
    LOG.info("Stopped");
    Runtime.getRuntime().halt(ExitCode.OK);
  }
}
