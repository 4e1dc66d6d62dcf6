package io.cellmesh.operations.mesh.joining;

import io.cellmesh.cell.LinkHold;
import io.cellmesh.cell.LinkHold.Kind;
import io.cellmesh.cell.MeshIdentity;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.check.DeploymentCheck;
import io.cellmesh.operations.check.Finding;
import io.cellmesh.operations.mesh.AtDataCenter;
import io.cellmesh.operations.mesh.LinkHolds;
import io.cellmesh.operations.mesh.LinkPlace;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.TopicOffsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Whether a data centre and the others are what they must be for it to join. What it asks for does
 * not depend on anybody's clock.
 */
final class JoiningCheck {
  private final Deployment deployment;
  private final DataCenter joining;
  private final List<DataCenter> peers;

  JoiningCheck(Deployment deployment, DataCenter joining, List<DataCenter> peers) {
    this.deployment = deployment;
    this.joining = joining;
    this.peers = peers;
  }

  /**
   * Compares what each peer has said of itself and what its log is with the deployment.
   *
   * @return what could not be compared, in sentences
   * @throws OperationException naming each peer that is another one, or has another instance, S or
   *     P; or brokers that this can't reach
   */
  List<String> identities() throws Exception {
    var wrong = new ArrayList<String>();
    var doubts = new ArrayList<String>();
    for (var dc : deployment.datacenters()) {
      if (!dc.knowsKafka()) {
        throw OperationException.invalid(
            "%s: %s has no `kafka`: run this where the brokers of all data centres can be reached, with a file that says how"
                .formatted(deployment.source(), dc.name()));
      }
    }
    for (var peer : peers) {
      AtDataCenter.run(peer, () -> identity(peer, wrong, doubts));
    }
    clusters(wrong);
    if (!wrong.isEmpty()) {
      throw OperationException.invalid(String.join("\n", wrong));
    }
    return doubts;
  }

  private void identity(DataCenter peer, List<String> wrong, List<String> doubts)
      throws InterruptedException {
    var wanted =
        new MeshIdentity(peer.name(), joining.topology().instance(), joining.topology().shards());
    var said = LinkPlace.identity(peer);
    if (said.isEmpty()) {
      doubts.add(
          "%s does not say who it is; a herb-replicator that runs there says so"
              .formatted(peer.name()));
    } else if (!said.get().equals(wanted)) {
      wrong.add(
          "%s is not what the deployment says: it says that it is %s, and the deployment %s"
              .formatted(peer.name(), said.get().toJson(), wanted.toJson()));
    }
    try (var client = Consumers.open(peer.kafka())) {
      int partitions = TopicOffsets.of(client, peer.topology().topics().log()).partitions();
      int all = joining.topology().shards().partitions();
      if (partitions != all) {
        wrong.add(
            "%s of %s has %d partitions, the topology says partitions: %d; every data centre must have the same"
                .formatted(peer.topology().topics().log(), peer.name(), partitions, all));
      }
    }
  }

  /**
   * Looks who holds links, between the data centre and its peers or to one that is gone.
   *
   * @return links that stand still until somebody resumes them, in sentences
   * @throws OperationException if a data centre is given up as lost, and was not removed
   */
  List<String> holds() throws Exception {
    var wrong = new ArrayList<String>();
    var paused = new ArrayList<String>();
    for (var dc : deployment.datacenters()) {
      AtDataCenter.run(dc, () -> holds(dc, wrong, paused));
    }
    if (!wrong.isEmpty()) {
      throw OperationException.refused(String.join("\n", wrong));
    }
    return paused;
  }

  private void holds(DataCenter dc, List<String> wrong, List<String> paused) {
    var holds = new LinkHolds(dc);
    holds
        .all()
        .forEach(
            (peer, hold) -> {
              if (hold.kind() == Kind.LOST) {
                lost(holds, peer, hold).ifPresent(wrong::add);
              } else if (joining.name().equals(peer) || joining.equals(dc)) {
                paused.add(
                    "link %2$s from %1$s: %3$s; `cellmesh dc resume %1$s %2$s` lets it go on"
                        .formatted(peer, dc.name(), hold.text()));
              }
            });
  }

  /** What is to be done about a data centre that is given up; empty if nothing is. */
  private Optional<String> lost(LinkHolds holds, String name, LinkHold hold) {
    var text = "%s is %s in %s".formatted(name, hold.text(), holds.here().name());
    if (joining.name().equals(name)) {
      // What was removed has left no place.
      return holds.remembers(name)
          ? Optional.of(
              "%1$s: if it is back with all its cells, `cellmesh dc back %2$s`; if another one takes its name, `cellmesh dc remove %2$s --yes` first"
                  .formatted(text, name))
          : Optional.empty();
    }
    return peers.stream().anyMatch(peer -> peer.name().equals(name))
        ? Optional.of(
            "%1$s, and nobody joins while one is: `cellmesh dc back %2$s`, or `cellmesh dc remove %2$s --yes` and take it out of %3$s"
                .formatted(text, name, deployment.source()))
        : Optional.empty();
  }

  /** Two addresses may be those of one Kafka. */
  private void clusters(List<String> wrong) throws Exception {
    var known = new HashMap<String, String>();
    for (var dc : deployment.datacenters()) {
      AtDataCenter.run(dc, () -> cluster(dc, known, wrong));
    }
  }

  private static void cluster(DataCenter dc, Map<String, String> known, List<String> wrong)
      throws InterruptedException {
    var other = known.putIfAbsent(LinkPlace.cluster(dc), dc.name());
    if (other != null) {
      wrong.add(
          "%s is the Kafka of %s and of %s; one of both addresses is wrong"
              .formatted(dc.kafka().bootstrap(), other, dc.name()));
    }
  }

  /**
   * Reaches everything that the deployment names, and looks whether each role may do its work.
   *
   * @param templates the directory of the connectors' configurations
   * @return how many warnings there are
   * @throws OperationException with all that is wrong
   */
  long reach(Path templates) throws InterruptedException {
    var findings = new ArrayList<Finding>();
    new DeploymentCheck(deployment, templates).run(findings::add);
    var wrong =
        findings.stream()
            .filter(finding -> finding.mark() == Finding.Mark.WRONG)
            .map(f -> "%s %s: %s".formatted(f.datacenter(), f.part(), f.text()))
            .collect(Collectors.joining("\n"));
    if (!wrong.isEmpty()) {
      throw OperationException.refused(wrong);
    }
    return findings.stream().filter(finding -> finding.mark() == Finding.Mark.WARNING).count();
  }
}
