package io.cellmesh.herb;

import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.deployment.MeshAccess;
import io.cellmesh.deployment.PeerAccess;
import io.cellmesh.health.AppCommand;
import io.cellmesh.health.AppLog;
import io.cellmesh.health.HealthOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
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

  @Mixin private HealthOptions health;

  public static void main(String[] args) {
    System.exit(AppCommand.run(new HerbReplicatorMain(), args));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    var ends = topologyFile.isPresent() ? named() : deployed();
    AppLog.of("herb-replicator", ends.topology().instance(), ends.topology().datacenter());
    var holds = new HoldWatch(ends.here(), ends.topology().topics().meshPlace());
    holds.start();
    var links = links(ends, holds);
    LOG.info(
        "{} of {} takes from {}",
        ends.topology().datacenter(),
        ends.topology().instance(),
        new TreeSet<>(ends.peers().keySet()));
    var server = serve(ends);
    var proof = new Proof(ends.topology(), ends.here(), compared(ends));
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server, links, proof), "stop"));
    health.answer(() -> proof.with(HealthReport.of(links)));
    links.forEach(PeerLink::start);
    proof.start();
    for (var link : links) {
      link.awaitEnd();
    }
    return ExitCode.OK;
  }

  /**
   * Both ends of all links.
   *
   * @param peers by their names, with their brokers where those are read
   */
  private record Ends(
      Topology topology,
      KafkaAccess here,
      MeshAccess mesh,
      Optional<SSLContext> tls,
      Map<String, Supplier<KafkaAccess>> peers) {}

  private Ends deployed() throws IOException {
    var file =
        Deployment.find(deployment)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "where is everything? Give --deployment FILE, or --topology, --bootstrap"
                            + " and --peer"));
    var found = Deployment.read(file);
    if (datacenter.isEmpty() && found.datacenters().size() > 1) {
      throw new IllegalArgumentException(
          "--dc: which data centre of %s is this? There are %s"
              .formatted(file, found.datacenters().stream().map(DataCenter::name).toList()));
    }
    var here = found.datacenter(datacenter);
    var others =
        found.datacenters().stream()
            .filter(dc -> !dc.equals(here))
            .collect(Collectors.toMap(DataCenter::name, dc -> (Supplier<KafkaAccess>) dc::kafka));
    if (others.isEmpty()) {
      throw new IllegalArgumentException(file + " has one data centre, so there is no peer");
    }
    return new Ends(here.topology(), here.kafka(), here.mesh(), here.meshTls(), others);
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
    return new Ends(
        topology,
        KafkaAccess.plain(bootstrap.get()),
        MeshAccess.USUAL,
        Optional.empty(),
        peers.entrySet().stream()
            .collect(
                Collectors.toMap(
                    Map.Entry::getKey, peer -> () -> KafkaAccess.plain(peer.getValue()))));
  }

  private static List<PeerLink> links(Ends ends, HoldWatch holds) {
    var reached = new HashSet<>(ends.peers().keySet());
    reached.add(ends.topology().datacenter());
    var clusters = new ConcurrentHashMap<String, String>();
    return ends.peers().keySet().stream()
        .sorted()
        .map(
            peer ->
                new PeerLink(peer, transport(ends, peer, reached, clusters), () -> holds.of(peer)))
        .toList();
  }

  private static Transport transport(
      Ends ends, String name, Set<String> reached, Map<String, String> clusters) {
    var topology = ends.topology();
    var here = ends.here();
    var mesh = ends.mesh();
    if (mesh.peer(name) instanceof PeerAccess.Http http) {
      var peer =
          new PeerHttp(topology.datacenter(), topology.instance(), name, http.url(), ends.tls());
      var door = HttpTransport.door(topology, peer);
      var start = new LinkStart(topology, here, name, reached, clusters, door);
      return new HttpTransport(topology, here, peer, mesh.compression(), start);
    }
    int threads = ((PeerAccess.Kafka) mesh.peer(name)).threads();
    var peer = new Peer(name, ends.peers().get(name).get());
    var door = KafkaTransport.door(topology, here, peer);
    var start = new LinkStart(topology, here, name, reached, clusters, door);
    return new KafkaTransport(
        topology, here, peer, new LinkTuning(threads, mesh.compression()), start);
  }

  /** The peers whose brokers are reached: what the others have folded can't be read. */
  private static List<Peer> compared(Ends ends) {
    return ends.peers().keySet().stream()
        .sorted()
        .filter(name -> ends.mesh().peer(name) instanceof PeerAccess.Kafka)
        .map(name -> new Peer(name, ends.peers().get(name).get()))
        .toList();
  }

  /** Lets peers read here, if any does so over HTTP. */
  private static Optional<OriginServer> serve(Ends ends) {
    return ends.mesh()
        .server()
        .map(
            at ->
                OriginServer.start(
                    at, ends.tls(), List.of(new KafkaLog(ends.topology(), ends.here()))));
  }

  /** The JVM would end with 143 after its hooks; a stop that was asked for is a success. */
  private static void stop(Optional<OriginServer> server, List<PeerLink> links, Proof proof) {
    server.ifPresent(OriginServer::close);
    Stream.concat(
            links.stream().<Runnable>map(link -> link::close), Stream.<Runnable>of(proof::close))
        .parallel()
        .forEach(Runnable::run);
    LOG.info("Stopped");
    Runtime.getRuntime().halt(ExitCode.OK);
  }
}
