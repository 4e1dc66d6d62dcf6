package io.cellmesh.herb;

import io.cellmesh.cell.MeshIdentity;
import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.deployment.DeploymentException;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.deployment.MeshAccess;
import io.cellmesh.deployment.MeshTls;
import io.cellmesh.deployment.PeerAccess;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Both ends of all links of an instance. Two are equal if both are reached in the same way: which
 * servers the topology lists, and what stands in the files of a certificate, no link asks while it
 * runs.
 *
 * @param here this data centre's Kafka
 * @param mesh how links read, and who may read here over HTTP
 * @param tls reads the certificate for HTTP; empty in the clear
 * @param peers by their names, with their brokers where those are read
 * @param reached this data centre and all whose cells come here by a link of this or of another
 *     process
 */
record Ends(
    Topology topology,
    KafkaAccess here,
    MeshAccess mesh,
    Supplier<Optional<MeshTls>> tls,
    SortedMap<String, Optional<KafkaAccess>> peers,
    Set<String> reached,
    LinkLimits limits) {
  Ends {
    peers = Collections.unmodifiableSortedMap(new TreeMap<>(peers));
    reached = Set.copyOf(reached);
  }

  /**
   * Reads an entry's deployment, and resolves the secrets that its links need.
   *
   * @throws DeploymentException naming the file and what in it, or in the entry, can't be used
   * @throws IOException if it can't be read
   */
  static Ends of(CohortEntry entry) throws IOException {
    var found = Deployment.read(entry.deployment());
    if (!found.instance().equals(entry.instance())) {
      throw new DeploymentException(
          "%s is the deployment of %s, not of %s"
              .formatted(entry.deployment(), found.instance(), entry.instance()));
    }
    return of(found, entry.datacenter(), entry.peers(), entry.limits());
  }

  /**
   * Finds the ends of the links that a data centre of a deployment has.
   *
   * @param datacenter may be left out where there is one alone
   * @param wanted the peers to have a link to; empty: all
   * @throws DeploymentException if there is no such data centre, or no such peer
   */
  static Ends of(
      Deployment found,
      Optional<String> datacenter,
      Optional<Set<String>> wanted,
      LinkLimits limits) {
    var all = found.datacenters().stream().map(DataCenter::name).toList();
    if (datacenter.isEmpty() && all.size() > 1) {
      throw new DeploymentException(
          "dc: which data centre of %s is this? There are %s".formatted(found.source(), all));
    }
    var here = found.datacenter(datacenter);
    var others = found.datacenters().stream().filter(dc -> !dc.equals(here)).toList();
    if (others.isEmpty()) {
      throw new DeploymentException(found.source() + " has one data centre, so there is no peer");
    }
    var names = others.stream().map(DataCenter::name).collect(Collectors.toSet());
    for (var peer : wanted.orElse(Set.of())) {
      if (!names.contains(peer)) {
        throw new DeploymentException(
            "peers: \"%s\" is no peer of %s in %s; there are %s"
                .formatted(peer, here.name(), found.source(), names.stream().sorted().toList()));
      }
    }
    var mesh = here.mesh();
    var peers = new TreeMap<String, Optional<KafkaAccess>>();
    others.stream()
        .filter(dc -> wanted.isEmpty() || wanted.get().contains(dc.name()))
        .forEach(dc -> peers.put(dc.name(), brokers(dc, mesh.peer(dc.name()))));
    return new Ends(
        here.topology(), here.kafka(), mesh, here::meshTls, peers, Set.copyOf(all), limits);
  }

  /** Nobody need know the brokers of a peer that is read over HTTP. */
  private static Optional<KafkaAccess> brokers(DataCenter peer, PeerAccess way) {
    return way instanceof PeerAccess.Kafka ? Optional.of(peer.kafka()) : Optional.empty();
  }

  String instance() {
    return topology.instance();
  }

  /**
   * Whether links between these run as they would between others: they don't ask who reads here.
   */
  boolean linksAs(Ends other) {
    return withoutServer().equals(other.withoutServer());
  }

  private Ends withoutServer() {
    return new Ends(
        topology,
        here,
        new MeshAccess(
            mesh.compression(),
            mesh.linger(),
            mesh.window(),
            mesh.share(),
            mesh.peers(),
            Optional.empty()),
        tls,
        peers,
        reached,
        limits);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Ends ends && said().equals(ends.said());
  }

  @Override
  public int hashCode() {
    return Objects.hash(said());
  }

  private List<Object> said() {
    return List.of(MeshIdentity.of(topology), here, mesh, peers, reached, limits);
  }
}
