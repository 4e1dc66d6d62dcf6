package io.cellmesh.herb;

import io.cellmesh.cell.InstanceNames;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.proof.FoldSource;
import io.cellmesh.deployment.KafkaAccess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Proves all the time that this data centre and its peers agree (invariant 14) in the cells of an
 * instance: two foldings, of the log and of the mesh topic here, and a comparison with each peer.
 * Each starts, fails and ends alone, and none of them touches a link.
 */
final class Proof implements Part {
  private final List<Fold> folds = new ArrayList<>();
  private final List<Comparison> comparisons = new ArrayList<>();

  private record Fold(FoldSource source, FoldFigures figures, ProofWorker worker) {}

  private record Comparison(PeerProof peer, ProofWorker worker) {}

  /** What a folding does, and which right it lacks where it is refused. */
  private record Folding(
      FoldSource source,
      Topology topology,
      KafkaAccess here,
      ProofRights rights,
      FoldFigures figures)
      implements ProofWorker.Work {
    @Override
    public ProofWorker.Run open() throws InterruptedException {
      return new FoldRun(source, topology, here, figures);
    }

    @Override
    public Throwable named(Throwable failure) {
      return failure instanceof RuntimeException refusal ? rights.named(refusal) : failure;
    }
  }

  /**
   * @param peers that are compared with
   * @param turns of all proofs of the process
   */
  Proof(Topology topology, KafkaAccess here, List<PeerProof> peers, SharedTurns turns) {
    var instance = topology.instance();
    var rights = new ProofRights(here, InstanceNames.proofGroup(instance, "*"));
    for (var source : FoldSource.TOPICS) {
      var figures = new FoldFigures();
      var work = new Folding(source, topology, here, rights, figures);
      var name = "Folding of the %s of %s".formatted(source.text(), instance);
      folds.add(new Fold(source, figures, new ProofWorker(name, work, turns)));
    }
    for (var peer : peers) {
      var name = "Comparison of %s with %s".formatted(instance, peer.peer());
      comparisons.add(new Comparison(peer, new ProofWorker(name, peer, turns)));
    }
  }

  @Override
  public void start() {
    workers().forEach(ProofWorker::start);
  }

  @Override
  public void end() {
    workers().forEach(ProofWorker::end);
  }

  /** What was not told is folded again. A comparison has nothing to lose. */
  @Override
  public boolean awaitEnd(Duration atMost) throws InterruptedException {
    long deadline = System.nanoTime() + atMost.toNanos();
    boolean ended = true;
    for (var fold : folds) {
      long left = Math.max(0, deadline - System.nanoTime());
      ended &= fold.worker().awaitEnd(Duration.ofNanos(left));
    }
    return ended;
  }

  /** What is known now. */
  ProofReport report() {
    return new ProofReport(
        folds.stream()
            .map(
                fold ->
                    new ProofReport.OfFold(
                        fold.source(), fold.worker().state(), fold.figures().counts()))
            .toList(),
        comparisons.stream()
            .map(
                comparison ->
                    new ProofReport.OfPeer(
                        comparison.peer().peer(),
                        comparison.worker().state(),
                        comparison.peer().verdict()))
            .toList(),
        System.currentTimeMillis());
  }

  private Stream<ProofWorker> workers() {
    return Stream.concat(
        folds.stream().map(Fold::worker), comparisons.stream().map(Comparison::worker));
  }
}
