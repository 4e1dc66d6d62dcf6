package io.cellmesh.herb;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.proof.Agreement;
import io.cellmesh.cell.proof.Difference;
import io.cellmesh.cell.proof.Verdict;
import io.cellmesh.deployment.CheckpointTopic;
import io.cellmesh.deployment.Checkpoints;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.deployment.peer.PeerCheckpoints;
import io.cellmesh.deployment.peer.PeerHttp;
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
  private final Side ours;
  private final String peer;
  private final Side theirs;
  private volatile Optional<Verdict> verdict = Optional.empty();
  private List<Difference> told = List.of();

  /** One of the two sides: where its checkpoints are read. */
  interface Side {
    Checkpoints open() throws InterruptedException;

    /** Does something with them, and names the right that is missing for it. */
    void naming(ProofRights.Asking asking) throws InterruptedException;

    /** That of a data centre whose brokers are read. */
    static Side of(KafkaAccess kafka, Topology topology) {
      return new KafkaSide(kafka, topology);
    }

    /** That of a peer that is read over HTTP. */
    static Side of(PeerHttp peer, Topology topology) {
      return new HttpSide(peer, topology);
    }
  }

  private record KafkaSide(KafkaAccess kafka, Topology topology) implements Side {
    @Override
    public Checkpoints open() throws InterruptedException {
      var opened = new ArrayList<Checkpoints>();
      naming(() -> opened.add(new CheckpointTopic(kafka, topology)));
      return opened.get(0);
    }

    @Override
    public void naming(ProofRights.Asking asking) throws InterruptedException {
      new ProofRights(kafka, "").naming(asking);
    }
  }

  private record HttpSide(PeerHttp peer, Topology topology) implements Side {
    @Override
    public Checkpoints open() throws InterruptedException {
      return new PeerCheckpoints(peer, topology);
    }

    @Override
    public void naming(ProofRights.Asking asking) throws InterruptedException {
      asking.run();
    }
  }

  /**
   * @param topology of this data centre
   * @param peer its name
   */
  PeerProof(Topology topology, KafkaAccess here, String peer, Side theirs) {
    this.topology = topology;
    this.ours = Side.of(here, topology);
    this.peer = peer;
    this.theirs = theirs;
  }

  String peer() {
    return peer;
  }

  /** What was found last; empty before all that both sides tell was read once. */
  Optional<Verdict> verdict() {
    return verdict;
  }

  /** Reads both sides and compares them every 2 s. */
  @Override
  public ProofWorker.Run open() throws InterruptedException {
    var own = ours.open();
    try {
      return new Comparing(own, theirs.open());
    } catch (InterruptedException | RuntimeException e) {
      own.close();
      throw e;
    }
  }

  private final class Comparing implements ProofWorker.Run {
    private final Agreement agreement = new Agreement(peer, topology.shards());
    private final Checkpoints here;
    private final Checkpoints there;
    private boolean read;

    Comparing(Checkpoints here, Checkpoints there) {
      this.here = here;
      this.there = there;
    }

    @Override
    public Duration turn() throws InterruptedException {
      if (!read) {
        ours.naming(() -> here.readToEnd(agreement::here));
        theirs.naming(() -> there.readToEnd(agreement::there));
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
      theirs.naming(() -> records.addAndGet(there.poll(POLL, agreement::there)));
      ours.naming(() -> records.addAndGet(here.poll(POLL, agreement::here)));
      return records.get() > 0;
    }

    @Override
    public boolean isRunning() {
      return read;
    }

    @Override
    public void close() {
      try {
        here.close();
      } finally {
        there.close();
      }
    }
  }

  private void found(Verdict found) {
    verdict = Optional.of(found);
    if (!found.differences().equals(told)) {
      told = found.differences();
      if (told.isEmpty()) {
        LOG.info("{} and this data centre agree again in {}", peer, topology.instance());
      } else {
        LOG.error(
            "{} and this data centre differ in {} places of {}: {}",
            peer,
            told.size(),
            topology.instance(),
            told.stream().limit(TOLD).map(Difference::text).toList());
      }
    }
  }
}
