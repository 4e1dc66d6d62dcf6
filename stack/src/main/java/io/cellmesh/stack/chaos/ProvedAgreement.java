package io.cellmesh.stack.chaos;

import io.cellmesh.cell.proof.Bucket;
import io.cellmesh.cell.proof.Difference;
import io.cellmesh.cell.proof.Verdict;
import io.cellmesh.connect.client.Waiting;
import io.cellmesh.operations.mesh.LinkProof;
import io.cellmesh.stack.chaos.Recovery.NotRecoveredException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Waits for the proof, by checkpoints, that every data centre holds what the others wrote: each has
 * proved of each other one that nothing differs and that all cells which were written before a
 * moment are there. With whatever is written meanwhile the proof goes on. Why a log has not what a
 * topic has, as a conflict, {@code verify} finds in the end.
 */
final class ProvedAgreement {
  private static final Duration LOOK = Duration.ofMillis(200);

  private final long since;
  private final long moment;
  private final Map<String, Map<Integer, Long>> written;
  private volatile Duration proved;
  private volatile List<String> missing = List.of("no checkpoints were read since");

  private ProvedAgreement(long since, Map<String, Map<Integer, Long>> written) {
    this.since = since;
    this.moment = System.currentTimeMillis() - (System.nanoTime() - since) / 1_000_000;
    this.written = written;
  }

  /**
   * Begins to look whenever checkpoints were read, in place of whoever did before.
   *
   * @param since the moment, by {@link System#nanoTime}
   * @param written of each data centre and shard the origin_id up to which all must be compared;
   *     empty where nothing more is written, so that nothing is compared in part
   */
  static ProvedAgreement watch(
      ProofReader proof, long since, Map<String, Map<Integer, Long>> written) {
    var agreement = new ProvedAgreement(since, written);
    proof.tell(agreement::look);
    return agreement;
  }

  private void look(List<LinkProof> links) {
    if (proved == null) {
      missing = missing(links, moment, written);
      if (missing.isEmpty()) {
        proved = Duration.ofNanos(System.nanoTime() - since);
      }
    }
  }

  /**
   * Waits until it was seen.
   *
   * @param patience for how long after the moment
   * @param says told what is not proved yet
   * @return how long after the moment it was seen first
   * @throws NotRecoveredException if it was not in time, with what was missing
   */
  Duration await(Duration patience, Consumer<String> says)
      throws InterruptedException, NotRecoveredException {
    var left = patience.minusNanos(System.nanoTime() - since);
    Waiting.within(
        left,
        LOOK,
        () -> {
          missing.stream().findFirst().ifPresent(says);
          return proved != null;
        });
    if (proved == null) {
      throw new NotRecoveredException(
          "after %d s the data centres have not proved that they agree: %s"
              .formatted(patience.toSeconds(), String.join("; ", missing)));
    }
    return proved;
  }

  /** What keeps links from agreeing on all that was written before a moment, a line for each. */
  static List<String> missing(
      List<LinkProof> links, long moment, Map<String, Map<Integer, Long>> written) {
    return links.stream()
        .map(
            link ->
                new Missing(link, why(link, moment, written.getOrDefault(link.origin(), Map.of()))))
        .filter(missing -> !missing.why().isEmpty())
        .map(Missing::text)
        .toList();
  }

  private record Missing(LinkProof link, String why) {
    String text() {
      return "%s in %s: %s".formatted(link.origin(), link.datacenter(), why);
    }
  }

  private static String why(LinkProof link, long moment, Map<Integer, Long> written) {
    if (link.differences() > 0) {
      return "%d differences, such as %s".formatted(link.differences(), example(link));
    }
    if (link.doubt().isPresent()) {
      return link.doubt().get();
    }
    var verdict = link.verdict();
    if (verdict.isEmpty() || verdict.get().provenAt().orElse(0) < moment) {
      return "not all partitions were folded since";
    }
    return verdict.get().waitingSince().orElse(Long.MAX_VALUE) < moment
        ? "cells wait, the oldest for %.1f s".formatted(link.lag().toMillis() / 1e3)
        : behind(verdict.get(), written);
  }

  /** While more is written, the cells that wait may seem as young as the last of their block. */
  private static String behind(Verdict verdict, Map<Integer, Long> written) {
    return written.entrySet().stream()
        .filter(shard -> agreedTo(verdict, shard.getKey()) < Bucket.endOfBlocks(shard.getValue()))
        .findFirst()
        .map(
            shard ->
                "of shard %d all agrees up to origin_id %d, and %d was there"
                    .formatted(shard.getKey(), agreedTo(verdict, shard.getKey()), shard.getValue()))
        .orElse("");
  }

  private static long agreedTo(Verdict verdict, int shard) {
    return verdict.agreedTo().getOrDefault(shard, -1L);
  }

  private static String example(LinkProof link) {
    return link.verdict().stream()
        .flatMap(verdict -> verdict.differences().stream())
        .map(Difference::text)
        .findFirst()
        .orElseGet(
            () -> {
              var cell = link.lost().get(0);
              return "%s %s, shard %d, origin_id %d: %s"
                  .formatted(
                      link.origin(), cell.kind().text(), cell.shard(), cell.originId(), cell.key());
            });
  }
}
