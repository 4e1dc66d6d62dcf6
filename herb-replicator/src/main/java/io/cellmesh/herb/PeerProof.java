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
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds what this data centre has of a peer's cells against the peer's log, from what both have
 * folded.
 */
final class PeerProof implements ProofWorker.Work {
  private static final Logger LOG = LoggerFactory.getLogger(PeerProof.class);

  /** As long as an answer takes over a long way. */
  private static final Duration POLL = Duration.ofMillis(200);

  private static final Duration REST = Duration.ofSeconds(2);
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

  /** Reads both sides and compares them every 2 s. */
  @Override
  public ProofWorker.Run open() throws InterruptedException {
    var ours = open(here);
    try {
      return new Comparing(ours, open(peer.kafka()));
    } catch (InterruptedException | RuntimeException e) {
      ours.close();
      throw e;
    }
  }

  private final class Comparing implements ProofWorker.Run {
    private final Agreement agreement = new Agreement(peer.name(), topology.shards());
    private final CheckpointTopic ours;
    private final CheckpointTopic theirs;
    private boolean read;

    Comparing(CheckpointTopic ours, CheckpointTopic theirs) {
      this.ours = ours;
      this.theirs = theirs;
    }

    @Override
    public Duration turn() throws InterruptedException {
      if (!read) {
        naming(here, () -> ours.readToEnd(agreement::here));
        naming(peer.kafka(), () -> theirs.readToEnd(agreement::there));
        read = true;
      }
      long begun = System.nanoTime();
      boolean more = true;
      while (more && System.nanoTime() - begun < REST.toNanos()) {
        more = pollBoth();
      }
      found(agreement.verdict());
      return more ? Duration.ZERO : REST;
    }

    private boolean pollBoth() throws InterruptedException {
      var records = new AtomicInteger();
      naming(peer.kafka(), () -> records.addAndGet(theirs.poll(POLL, agreement::there)));
      naming(here, () -> records.addAndGet(ours.poll(POLL, agreement::here)));
      return records.get() > 0;
    }

    @Override
    public boolean isRunning() {
      return read;
    }

    @Override
    public void close() {
      try {
        ours.close();
      } finally {
        theirs.close();
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
        LOG.info("{} and this data centre agree again in {}", peer.name(), topology.instance());
      } else {
        LOG.error(
            "{} and this data centre differ in {} places of {}: {}",
            peer.name(),
            told.size(),
            topology.instance(),
            told.stream().limit(TOLD).map(Difference::text).toList());
      }
    }
  }
}
