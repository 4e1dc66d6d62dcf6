package io.cellmesh.operations.mesh.joining;

import io.cellmesh.cell.proof.Verdict;
import io.cellmesh.operations.mesh.LinkProof;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Says by the continuous proof whether a data centre that joins agrees with the others. While cells
 * flow some always wait, so these do not count for a while; and what its mesh topic has must also
 * have come into its log, or be refused there for a reason.
 */
final class JoiningProof {
  private static final Duration USUAL_LAG = Duration.ofSeconds(30);

  private final String joining;

  /** What the mesh topic agreed in when it first had all, by origin. */
  private final Map<String, Long> wanted = new HashMap<>();

  JoiningProof(String joining) {
    this.joining = joining;
  }

  /** Whether it is one of both. */
  boolean isOfIt(LinkProof link) {
    return link.origin().equals(joining) || link.datacenter().equals(joining);
  }

  /** What is not proved yet, in words; empty if nothing is missing. */
  Optional<String> lack(List<LinkProof> links) {
    return links.stream()
        .filter(this::isOfIt)
        .map(this::lack)
        .flatMap(Optional::stream)
        .findFirst();
  }

  private Optional<String> lack(LinkProof link) {
    var of = "cells of %s in %s: ".formatted(link.origin(), link.datacenter());
    if (link.doubt().isPresent()) {
      return Optional.of(of + link.doubt().get());
    }
    if (link.differences() > 0) {
      return Optional.of(of + "%d differences".formatted(link.differences()));
    }
    if (link.verdict().isEmpty()) {
      // One of both is given up as lost, of which nobody else expects a proof.
      return Optional.of(of + link.why());
    }
    var verdict = link.verdict().get();
    if (link.lag().compareTo(USUAL_LAG) > 0) {
      return Optional.of(
          of
              + "%,d have not arrived, for %d s"
                  .formatted(verdict.waiting(), link.lag().toSeconds()));
    }
    return link.datacenter().equals(joining) ? held(link.origin(), verdict, of) : Optional.empty();
  }

  private Optional<String> held(String origin, Verdict verdict, String of) {
    long arrived = wanted.computeIfAbsent(origin, name -> verdict.agreed());
    long held = verdict.held() + verdict.absentCells();
    return held >= arrived
        ? Optional.empty()
        : Optional.of(of + "%,d of %,d that have arrived are in its log".formatted(held, arrived));
  }
}
