package io.cellmesh.herb;

import io.cellmesh.cell.MeshIdentity;
import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.deployment.DeploymentException;
import io.cellmesh.deployment.KafkaAccess;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Both ends of all links of an instance.
 *
 * @param here this data centre's Kafka
 * @param reached this data centre and all whose cells come here by a link of this or of another
 *     process
 */
record Ends(
    Topology topology, KafkaAccess here, List<Peer> peers, Set<String> reached, LinkLimits limits) {
  Ends {
    peers = List.copyOf(peers);
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
    return new Ends(
        here.topology(),
        here.kafka(),
        others.stream()
            .filter(dc -> wanted.isEmpty() || wanted.get().contains(dc.name()))
            .map(dc -> new Peer(found.instance(), dc.name(), dc.kafka()))
            .toList(),
        Set.copyOf(all),
        limits);
  }

  String instance() {
    return topology.instance();
  }

  /** Whether links between these run as they would between others, which may have new servers. */
  boolean sameAs(Ends other) {
    return MeshIdentity.of(topology).equals(MeshIdentity.of(other.topology))
        && here.equals(other.here)
        && peers.equals(other.peers)
        && reached.equals(other.reached)
        && limits.equals(other.limits);
  }
}
