package io.cellmesh.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a run of the log's measurement found.
 *
 * @param peer with its best settings
 * @param peerByDefault with its defaults
 * @param rests the worker without a connector first, then with ours
 * @param lives empty unless asked for
 */
public record LogFigures(
    Surroundings surroundings,
    Result ours,
    Result peer,
    Result peerByDefault,
    List<RestFigures> rests,
    List<LiveFigures> lives,
    List<Profile> profiles) {
  public LogFigures {
    rests = List.copyOf(rests);
    lives = List.copyOf(lives);
    profiles = List.copyOf(profiles);
  }

  /** In terms of the peer at its best. */
  public double ratio(Result result) {
    return result.cellsPerSecond() / peer.cellsPerSecond();
  }

  /** The result for machines: cells a second, milliseconds, percent of a processor. */
  public Map<String, Object> document() {
    var document = new LinkedHashMap<String, Object>();
    document.put("name", "log");
    document.put("ours", Math.round(ours.cellsPerSecond()));
    document.put("peer", Math.round(peer.cellsPerSecond()));
    document.put("ratio", rounded(ratio(ours)));
    document.put("ratio_in_the_middle", rounded(ours.steady() / peer.steady()));
    document.put("peer_defaults", Math.round(peerByDefault.cellsPerSecond()));
    document.put("ratio_defaults", rounded(ours.cellsPerSecond() / peerByDefault.cellsPerSecond()));
    for (var rest : rests) {
      document.put("rest_percent_" + key(rest.name()), rounded(rest.percent()));
    }
    for (var live : lives) {
      var name = "live_" + key(live.name()) + "_" + live.rate();
      document.put(name + "_p50_ms", rounded(live.p50()));
      document.put(name + "_p99_ms", rounded(live.p99()));
    }
    return document;
  }

  private static String key(String name) {
    return name.replaceAll("[^a-z]+", "_");
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}
