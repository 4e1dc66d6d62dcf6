package io.cellmesh.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a run of the sink's measurement found.
 *
 * @param ours by number of shards, in the order that was asked for; the first beside the peer
 */
public record SinkFigures(
    Surroundings surroundings,
    List<Result> ours,
    Result peer,
    Result raw,
    Optional<LatencyFigures> latency,
    List<Profile> profiles) {
  public SinkFigures {
    ours = List.copyOf(ours);
    profiles = List.copyOf(profiles);
  }

  SinkFigures withOurs(List<Result> results) {
    return new SinkFigures(surroundings, results, peer, raw, latency, profiles);
  }

  public double ratio() {
    return ours.get(0).cellsPerSecond() / peer.cellsPerSecond();
  }

  /** A rate over more shards, in terms of that over the first number of them. */
  public double toFirst(Result more) {
    return more.cellsPerSecond() / ours.get(0).cellsPerSecond();
  }

  /** The result for machines, in cells a second. */
  public Map<String, Object> document() {
    var document = new LinkedHashMap<String, Object>();
    document.put("name", "sink");
    document.put("ours", Math.round(ours.get(0).cellsPerSecond()));
    document.put("peer", Math.round(peer.cellsPerSecond()));
    document.put("ratio", rounded(ratio()));
    document.put("raw", Math.round(raw.cellsPerSecond()));
    document.put("ratio_in_the_middle", rounded(ours.get(0).steady() / peer.steady()));
    for (var more : ours.subList(1, ours.size())) {
      document.put("ours_" + more.shards(), Math.round(more.cellsPerSecond()));
      document.put("ratio_" + more.shards(), rounded(toFirst(more)));
    }
    latency.ifPresent(
        figures -> {
          document.put("latency_p50_ms", rounded(figures.p50()));
          document.put("latency_p99_ms", rounded(figures.p99()));
        });
    var rounds = new LinkedHashMap<String, Object>();
    rounds.put("ours", rounds(ours.get(0)));
    rounds.put("peer", rounds(peer));
    rounds.put("raw", rounds(raw));
    document.put("rounds", rounds);
    return document;
  }

  private static List<Map<String, Object>> rounds(Result result) {
    return result.rounds().stream()
        .map(
            round ->
                Map.<String, Object>of("cells", round.cells(), "seconds", rounded(round.seconds())))
        .toList();
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}
