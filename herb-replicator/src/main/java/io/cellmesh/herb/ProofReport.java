package io.cellmesh.herb;

import io.cellmesh.cell.proof.Difference;
import io.cellmesh.cell.proof.FoldSource;
import io.cellmesh.cell.proof.Verdict;
import io.cellmesh.health.MetricPage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How the proof of an instance is. What it finds makes no link worse, so it does not decide whether
 * the process is well.
 *
 * @param now milliseconds since 1970
 */
record ProofReport(List<OfFold> folds, List<OfPeer> peers, long now) {
  private static final int TOLD = 10;

  /** How a folding is. */
  record OfFold(FoldSource source, ProofState state, FoldFigures.Counts counts) {}

  /**
   * How the comparison with a peer is.
   *
   * @param verdict empty before the first
   */
  record OfPeer(String peer, ProofState state, Optional<Verdict> verdict) {}

  Map<String, Object> fields() {
    var proof = new LinkedHashMap<String, Object>();
    folds.forEach(fold -> proof.put(fold.source().text(), fields(fold)));
    var byPeer = new LinkedHashMap<String, Object>();
    peers.forEach(peer -> byPeer.put(peer.peer(), fields(peer)));
    proof.put("peers", byPeer);
    return proof;
  }

  /** Adds the figures of each part. */
  void addTo(MetricPage page, String instance) {
    folds.forEach(fold -> add(page, instance, fold));
    peers.forEach(peer -> add(page, instance, peer));
  }

  private static Map<String, Object> fields(OfFold fold) {
    var fields = fields(fold.state());
    fields.put("behind", fold.counts().behind());
    fields.put("folded", fold.counts().folded());
    fields.put("damaged", fold.counts().damaged());
    fields.put("cut", fold.counts().cut());
    return fields;
  }

  private static Map<String, Object> fields(OfPeer peer) {
    var fields = fields(peer.state());
    peer.verdict()
        .ifPresent(
            verdict -> {
              fields.put("agreed", verdict.agreed());
              fields.put("held", verdict.held());
              fields.put("waiting", verdict.waiting());
              fields.put("absent", verdict.absentCells());
              fields.put("repeats", verdict.repeats());
              fields.put(
                  "differences",
                  verdict.differences().stream().limit(TOLD).map(Difference::text).toList());
            });
    return fields;
  }

  private static Map<String, Object> fields(ProofState state) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("state", state.state());
    if (!state.why().isEmpty()) {
      fields.put("why", state.why());
    }
    fields.put("restarts", state.restarts());
    return fields;
  }

  private static void add(MetricPage page, String instance, OfFold fold) {
    var source = fold.source().text();
    page.add(ProofMetric.FOLD_UP, up(fold.state()), instance, source)
        .add(ProofMetric.FOLD_BEHIND, fold.counts().behind(), instance, source)
        .add(ProofMetric.FOLDED, fold.counts().folded(), instance, source)
        .add(ProofMetric.DAMAGED, fold.counts().damaged(), instance, source)
        .add(ProofMetric.CUT, fold.counts().cut(), instance, source);
  }

  private void add(MetricPage page, String instance, OfPeer peer) {
    page.add(ProofMetric.PROOF_UP, up(peer.state()), instance, peer.peer());
    peer.verdict().ifPresent(verdict -> add(page, instance, peer.peer(), verdict));
  }

  private void add(MetricPage page, String instance, String peer, Verdict verdict) {
    for (var source : FoldSource.TOPICS) {
      long found = verdict.differences().stream().filter(d -> d.in() == source).count();
      page.add(ProofMetric.DIFFERENCES, found, instance, peer, source.text());
    }
    page.add(ProofMetric.AGREED, verdict.agreed(), instance, peer, FoldSource.MESH.text())
        .add(ProofMetric.AGREED, verdict.held(), instance, peer, FoldSource.LOG.text())
        .add(ProofMetric.WAITING, verdict.waiting(), instance, peer)
        .add(ProofMetric.ABSENT, verdict.absentCells(), instance, peer)
        .add(ProofMetric.REPEATS, verdict.repeats(), instance, peer);
    verdict
        .provenAt()
        .ifPresent(at -> page.add(ProofMetric.AGE, Math.max(0, now - at) / 1e3, instance, peer));
  }

  private static int up(ProofState state) {
    return state.state() == LinkHealth.State.RUNNING ? 1 : 0;
  }
}
