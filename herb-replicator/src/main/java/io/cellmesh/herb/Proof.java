package io.cellmesh.herb;

import io.cellmesh.cell.InstanceNames;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.proof.FoldSource;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.health.Health;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Proves all the time that this data centre and its peers agree (invariant 14): two foldings, of
 * the log and of the mesh topic here, and a comparison with each peer. Each starts, fails and ends
 * alone, and none of them touches a link.
 */
final class Proof implements AutoCloseable {
  private final List<Fold> folds = new ArrayList<>();
  private final List<Comparison> comparisons = new ArrayList<>();

  private record Fold(FoldSource source, FoldFigures figures, ProofWorker worker) {}

  private record Comparison(PeerProof peer, ProofWorker worker) {}

  Proof(Topology topology, KafkaAccess here, List<Peer> peers) {
    var rights = new ProofRights(here, InstanceNames.proofGroup(topology.instance(), "*"));
    for (var source : FoldSource.values()) {
      var figures = new FoldFigures();
      folds.add(
          new Fold(
              source,
              figures,
              new ProofWorker(
                  "fold-" + source.text(),
                  (running, ends) ->
                      rights.naming(
                          () -> {
                            try (var run = new FoldRun(source, topology, here, figures)) {
                              run.run(running, ends);
                            }
                          }))));
    }
    for (var peer : peers) {
      var proof = new PeerProof(topology, here, peer);
      comparisons.add(new Comparison(proof, new ProofWorker("proof-" + peer.name(), proof::run)));
    }
  }

  void start() {
    workers().forEach(ProofWorker::start);
  }

  /** Ends within 20 s; what was not told is folded again. A comparison has nothing to lose. */
  @Override
  public void close() {
    workers().forEach(ProofWorker::end);
    folds.forEach(fold -> fold.worker().close());
  }

  /** The health of the links, and beside it what is known of the proof. */
  Health with(Health links) {
    return new ProofReport(
        links,
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
