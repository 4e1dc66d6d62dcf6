package io.cellmesh.herb;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.proof.Agreement;
import io.cellmesh.cell.proof.Difference;
import io.cellmesh.cell.proof.Verdict;
import io.cellmesh.deployment.CheckpointTopic;
import io.cellmesh.deployment.KafkaAccess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds what this data centre has of a peer's cells against the peer's log, from what both have
 * folded.
 */
final class PeerProof {
  private static final Logger LOG = LoggerFactory.getLogger(PeerProof.class);
  private static final Duration POLL = Duration.ofMillis(500);
  private static final long PAUSE_MS = 2_000;
  private static final int TOLD = 3;

  private final Topology topology;
  private final KafkaAccess here;
  private final Peer peer;
  private volatile Optional<Verdict> verdict = Optional.empty();
  private List<Difference> told = List.of();

  PeerProof(Topology topology, KafkaAccess here, Peer peer) {
    this.topology = topology;
    this.here = here;
    this.peer = peer;
  }

  String peer() {
    return peer.name();
  }

  /** What was found last; empty before all that both sides tell was read once. */
  Optional<Verdict> verdict() {
    return verdict;
  }

  /** Reads both sides and compares them every 2 s, until it is told to end. */
  void run(Runnable running, BooleanSupplier ends) throws InterruptedException {
    try (var ours = open(here);
        var theirs = open(peer.kafka())) {
      var agreement = new Agreement(peer.name(), topology.shards());
      naming(here, () -> ours.readToEnd(agreement::here));
      naming(peer.kafka(), () -> theirs.readToEnd(agreement::there));
      running.run();
      long comparedAt = 0;
      while (!ends.getAsBoolean()) {
        naming(peer.kafka(), () -> theirs.poll(POLL, agreement::there));
        naming(here, () -> ours.poll(POLL, agreement::here));
        long now = System.nanoTime() / 1_000_000;
        if (now - comparedAt >= PAUSE_MS) {
          found(agreement.verdict());
          comparedAt = now;
        }
      }
    }
  }

  private CheckpointTopic open(KafkaAccess kafka) throws InterruptedException {
    var opened = new ArrayList<CheckpointTopic>();
    naming(kafka, () -> opened.add(new CheckpointTopic(kafka, topology)));
    return opened.get(0);
  }

  private static void naming(KafkaAccess kafka, ProofRights.Asking asking)
      throws InterruptedException {
    new ProofRights(kafka, "").naming(asking);
  }

  private void found(Verdict found) {
    verdict = Optional.of(found);
    if (!found.differences().equals(told)) {
      told = found.differences();
      if (told.isEmpty()) {
        LOG.info("{} and this data centre agree again", peer.name());
      } else {
        LOG.error(
            "{} and this data centre differ in {} places: {}",
            peer.name(),
            told.size(),
            told.stream().limit(TOLD).map(Difference::text).toList());
      }
    }
  }
}
