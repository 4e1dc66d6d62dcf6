package io.cellmesh.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a run of the triggers' measurement found.
 *
 * @param versions by what has them
 * @param results ours, ours with a callback that reads the cell, the plain consumer's, the Parallel
 *     Consumer's
 * @param paces with one thread, and with one a shard
 * @param latencies ours, and the plain consumer's
 * @param profiles empty unless asked for
 */
public record CallbackFigures(
    Machine machine,
    Map<String, String> versions,
    List<Result> results,
    List<PaceFigures> paces,
    List<CallbackLatencyFigures> latencies,
    List<Profile> profiles) {
  public CallbackFigures {
    results = List.copyOf(results);
    paces = List.copyOf(paces);
    latencies = List.copyOf(latencies);
    profiles = List.copyOf(profiles);
  }

  private Result result(CallbackContestant contestant) {
    return results.get(contestant.ordinal());
  }

  /** In terms of the plain consumer. */
  public double toPlain(Result result) {
    return result.cellsPerSecond() / result(CallbackContestant.PLAIN).cellsPerSecond();
  }

  /** In terms of the Parallel Consumer. */
  public double toParallel(Result result) {
    return result.cellsPerSecond() / result(CallbackContestant.PARALLEL).cellsPerSecond();
  }

  /** The result for machines: cells a second, milliseconds. */
  public Map<String, Object> document() {
    var document = new LinkedHashMap<String, Object>();
    document.put("name", "trigger");
    for (var contestant : CallbackContestant.values()) {
      document.put(
          contestant.name().toLowerCase(Locale.ROOT),
          Math.round(result(contestant).cellsPerSecond()));
    }
    var ours = result(CallbackContestant.OURS);
    document.put("ratio_plain", rounded(toPlain(ours)));
    document.put("ratio_parallel", rounded(toParallel(ours)));
    for (var pace : paces) {
      document.put("waiting_threads_" + pace.threads(), rounded(pace.callbacks()));
    }
    document.put("ratio_waiting", rounded(toOneThread(paces.get(paces.size() - 1))));
    var names = List.of("ours", "plain");
    for (int i = 0; i < names.size(); i++) {
      document.put("latency_" + names.get(i) + "_p50_ms", rounded(latencies.get(i).p50()));
      document.put("latency_" + names.get(i) + "_p99_ms", rounded(latencies.get(i).p99()));
    }
    return document;
  }

  /** In terms of one thread. */
  public double toOneThread(PaceFigures pace) {
    return pace.callbacks() / paces.get(0).callbacks();
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}
