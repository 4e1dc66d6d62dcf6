package io.cellmesh.operations.mesh.joining;

import io.cellmesh.cell.ReadPlace;
import io.cellmesh.connect.client.Waiting;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.deployment.MissingRightException;
import io.cellmesh.deployment.Seed;
import io.cellmesh.deployment.SeedTopic;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.OperationListener.Step;
import io.cellmesh.operations.mesh.LinkPlace;
import io.cellmesh.operations.mesh.LinkProof;
import io.cellmesh.operations.mesh.MeshProof;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.KafkaException;

/** Follows a data centre that joins, until it is proved that it has what its peers have. */
final class JoiningWatch {
  private static final Duration POLL = Duration.ofSeconds(2);

  /** A difference may be a log that its table is ahead of. */
  private static final Duration DIFFERS = Duration.ofMinutes(1);

  private final Deployment deployment;
  private final DataCenter joining;
  private final List<DataCenter> peers;
  private final Map<DataCenter, List<Long>> ends = new HashMap<>();
  private final JoiningProof proof;
  private long most;
  private List<LinkProof> proofs = List.of();
  private long differsSince;

  JoiningWatch(Deployment deployment, DataCenter joining, List<DataCenter> peers) {
    this.deployment = deployment;
    this.joining = joining;
    this.peers = peers;
    this.proof = new JoiningProof(joining.name());
  }

  /**
   * Returns once its links have read all that the peers' logs had when it was called, and the proof
   * of all pairs that it is one of agrees.
   *
   * @throws OperationException if it has been proved for a minute that they differ
   */
  List<LinkProof> await(Step step) throws Exception {
    Waiting.until(POLL, () -> look(step));
    return proofs;
  }

  /** What does not answer for a while is no reason to wait no longer. */
  private boolean look(Step step) throws InterruptedException {
    try {
      return joined(step);
    } catch (MissingRightException e) {
      throw e;
    } catch (KafkaException | SQLException e) {
      step.detail("waits: " + e.getMessage());
      return false;
    }
  }

  private boolean joined(Step step) throws SQLException, InterruptedException {
    long left = left(step);
    if (left > 0) {
      return false;
    }
    proofs = MeshProof.of(deployment, false);
    refuseDifferences();
    var lack = proof.lack(proofs);
    lack.ifPresent(step::detail);
    return lack.isEmpty();
  }

  /** Records that are still to be read of what there was. */
  private long left(Step step) throws InterruptedException {
    long left = 0;
    for (var peer : peers) {
      left += left(LinkPlace.of(joining, peer), peer);
    }
    most = Math.max(most, left);
    if (left > 0) {
      step.progress(most - left, most);
    }
    return left;
  }

  private long left(LinkPlace link, DataCenter peer) throws InterruptedException {
    var noted =
        ends.computeIfAbsent(peer, dc -> link.places().stream().map(ReadPlace::end).toList());
    var seed =
        link.places().stream().anyMatch(ReadPlace::bad)
            ? new SeedTopic(peer.kafka(), peer.topology().topics().seed(joining.name())).read()
            : Optional.<Seed>empty();
    long left = 0;
    for (var place : link.places()) {
      int partition = place.partition();
      long end = noted.get(partition);
      left +=
          place.bad()
              ? inSeed(seed, partition, link.inSeed()) + Math.max(1, end - place.begin())
              : Math.max(unread(place), end - place.next());
    }
    return left;
  }

  /** A link that has not begun has something to do, and be it to say so. */
  private static long unread(ReadPlace place) {
    return place.committed().isEmpty() ? 1 : 0;
  }

  private static long inSeed(Optional<Seed> seed, int partition, Map<Integer, Long> next) {
    return seed.map(
            found -> {
              var part = found.parts().get(partition);
              return part.end() - next.getOrDefault(partition, part.begin());
            })
        .orElse(0L);
  }

  private void refuseDifferences() {
    var differing =
        proofs.stream().filter(proof::isOfIt).filter(link -> link.differences() > 0).findFirst();
    if (differing.isEmpty()) {
      differsSince = 0;
      return;
    }
    long now = System.nanoTime();
    differsSince = differsSince == 0 ? now : differsSince;
    if (now - differsSince > DIFFERS.toNanos()) {
      throw OperationException.failed(
          "what %s has of %s differs from what it wrote; `cellmesh mesh status` says where"
              .formatted(differing.get().datacenter(), differing.get().origin()));
    }
  }
}
