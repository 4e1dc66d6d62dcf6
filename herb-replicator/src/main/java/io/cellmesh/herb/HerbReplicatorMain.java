package io.cellmesh.herb;

import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyYaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/**
 * Starts the links. Ends with 0 after SIGTERM, 2 if an option or a file keeps it from being
 * started.
 */
@Command(
    name = "herb-replicator",
    mixinStandardHelpOptions = true,
    description = "Brings the cells of the peer data centres into this one's mesh topic.")
public final class HerbReplicatorMain implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(HerbReplicatorMain.class);

  @Option(
      names = "--topology",
      required = true,
      paramLabel = "FILE",
      description = "This data centre's shard map.")
  private Path topologyFile;

  @Option(
      names = "--bootstrap",
      required = true,
      paramLabel = "HOST:PORT",
      description = "This data centre's Kafka.")
  private String bootstrap;

  @Option(
      names = "--peer",
      required = true,
      paramLabel = "DC=HOST:PORT",
      description = "A peer data centre and its Kafka; may be given several times.")
  private Map<String, String> peers;

  @Option(
      names = "--health-port",
      paramLabel = "PORT",
      description =
          "Answer on this port of the loopback interface: GET /health with 200 if every link runs, "
              + "else 503, and a JSON object of the links, with the reason of one that does not; GET "
              + "/metrics with the same figures in Prometheus's format.")
  private Optional<Integer> healthPort;

  public static void main(String[] args) {
    System.exit(
        new CommandLine(new HerbReplicatorMain())
            .setExecutionExceptionHandler(HerbReplicatorMain::explain)
            .execute(args));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    var topology = TopologyYaml.parse(Files.readString(topologyFile));
    var links = links(topology);
    LOG.info("{} of {} takes from {}", topology.datacenter(), topology.instance(), peers.keySet());
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(links), "stop"));
    answerHealth(links);
    links.forEach(PeerLink::start);
    for (var link : links) {
      link.awaitEnd();
    }
    return ExitCode.OK;
  }

  /** As long as the process lives. */
  private void answerHealth(List<PeerLink> links) throws IOException {
    if (healthPort.isPresent()) {
      var server = HealthServer.start(healthPort.get(), () -> HealthReport.of(links));
      LOG.info("Health: http://127.0.0.1:{}/health", server.port());
    }
  }

  private List<PeerLink> links(Topology topology) {
    for (var peer : peers.keySet()) {
      Names.check("--peer", peer);
      if (peer.equals(topology.datacenter())) {
        throw new IllegalArgumentException("--peer: " + peer + " is this data centre itself");
      }
    }
    var reached = new HashSet<>(peers.keySet());
    reached.add(topology.datacenter());
    var clusters = new ConcurrentHashMap<String, String>();
    return peers.entrySet().stream()
        .map(p -> new Peer(p.getKey(), p.getValue()))
        .map(
            peer ->
                new PeerLink(
                    topology,
                    bootstrap,
                    peer,
                    new LinkStart(topology, bootstrap, peer, reached, clusters)))
        .toList();
  }

  /** The JVM would end with 143 after its hooks; a stop that was asked for is a success. */
  private static void stop(List<PeerLink> links) {
    links.parallelStream().forEach(PeerLink::close);
    LOG.info("Stopped");
    Runtime.getRuntime().halt(ExitCode.OK);
  }

  private static int explain(
      Exception problem, CommandLine command, CommandLine.ParseResult arguments) {
    var usage = problem instanceof IllegalArgumentException || problem instanceof IOException;
    LOG.error("{}", problem instanceof IOException ? problem.toString() : problem.getMessage());
    LOG.debug("Details", problem);
    return usage ? ExitCode.USAGE : ExitCode.SOFTWARE;
  }
}
