package io.cellmesh.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a run of the links' measurement found.
 *
 * @param results by delay, and for each of them ours over Kafka and over HTTP, then the peer's
 * @param whole from the commit on a master of the origin: by delay, ours alone
 */
public record MeshFigures(Surroundings surroundings, List<Way> results, List<Whole> whole) {
  public MeshFigures {
    results = List.copyOf(results);
    whole = List.copyOf(whole);
  }

  /**
   * One way at one distance.
   *
   * @param peer whether it is the one that ours are compared with
   * @param delay milliseconds one way
   * @param streams the latency of each round
   */
  public record Way(
      String name, boolean peer, int delay, Result backlog, List<MeshLatency> streams) {
    public Way {
      streams = List.copyOf(streams);
    }

    /** The median round's. */
    public double p50() {
      return Statistics.median(streams.stream().mapToDouble(MeshLatency::p50).toArray());
    }

    /** The median round's. */
    public double p99() {
      return Statistics.median(streams.stream().mapToDouble(MeshLatency::p99).toArray());
    }
  }

  /** The whole way of a transport at one distance. */
  public record Whole(String name, int delay, MeshLatency latency) {}

  /** A way's cells a second, in terms of the peer's at the same distance. */
  public double toPeer(Way way) {
    return way.backlog().cellsPerSecond() / peer(way.delay()).backlog().cellsPerSecond();
  }

  private Way peer(int delay) {
    return results.stream()
        .filter(way -> way.peer() && way.delay() == delay)
        .findFirst()
        .orElseThrow();
  }

  /** The result for machines: cells a second, milliseconds. */
  public Map<String, Object> document() {
    var document = new LinkedHashMap<String, Object>();
    document.put("name", "mesh");
    for (var way : results) {
      var key = key(way.name(), way.delay());
      document.put(key, Math.round(way.backlog().cellsPerSecond()));
      if (!way.peer()) {
        document.put("ratio_" + key, rounded(toPeer(way)));
      }
      document.put("latency_" + key + "_p50_ms", rounded(way.p50()));
      document.put("latency_" + key + "_p99_ms", rounded(way.p99()));
    }
    for (var way : whole) {
      var key = key(way.name(), way.delay());
      document.put("whole_" + key + "_p50_ms", rounded(way.latency().p50()));
      document.put("whole_" + key + "_p99_ms", rounded(way.latency().p99()));
    }
    return document;
  }

  private static String key(String name, int delay) {
    return name.replaceAll("[^a-z0-9]+", "_") + "_" + delay;
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}
