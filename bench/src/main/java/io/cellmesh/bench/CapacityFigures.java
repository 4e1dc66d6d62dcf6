package io.cellmesh.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What {@link CapacityBench} found: what was measured beside what the model says.
 *
 * @param machine that it was measured on
 * @param rounds by number of clusters and rate
 */
public record CapacityFigures(String machine, List<Round> rounds) {
  public CapacityFigures {
    rounds = List.copyOf(rounds);
  }

  /**
   * One number of clusters at one rate.
   *
   * @param rate cells a second that came
   * @param putCells cells of a put, which depends on how fast the machine was
   * @param commitMillis how long a commit of a put took
   * @param lines in the order in which they are shown
   */
  public record Round(
      int clusters,
      int minions,
      int shards,
      int tasks,
      double rate,
      double putCells,
      double commitMillis,
      List<Line> lines) {
    public Round {
      lines = List.copyOf(lines);
    }

    /** Says number of clusters and rate as a short text. */
    public String name() {
      return String.format(Locale.ROOT, "%d clusters, %.0f cells/s", clusters, rate);
    }
  }

  /**
   * One figure.
   *
   * @param name for machines
   * @param label for people
   */
  public record Line(String name, String label, double measured, double predicted) {
    /** Divides what is predicted by what was measured. */
    public double ratio() {
      return predicted / measured;
    }

    /** Tells whether it is within a quarter. */
    public boolean close() {
      return measured == 0 ? predicted == 0 : ratio() >= 0.75 && ratio() <= 1.25;
    }
  }

  /** Counts lines that are within a quarter. */
  public long close() {
    return rounds.stream().flatMap(round -> round.lines.stream()).filter(Line::close).count();
  }

  public long all() {
    return rounds.stream().mapToLong(round -> round.lines.size()).sum();
  }

  /** Maps the result for machines, by name. */
  public Map<String, Object> document() {
    var document = new LinkedHashMap<String, Object>();
    document.put("name", "capacity");
    document.put("machine", machine);
    document.put("close", close());
    document.put("all", all());
    var list = new ArrayList<Map<String, Object>>();
    for (var round : rounds) {
      var one = new LinkedHashMap<String, Object>();
      one.put("clusters", round.clusters);
      one.put("minions", round.minions);
      one.put("shards", round.shards);
      one.put("tasks", round.tasks);
      one.put("rate", rounded(round.rate));
      one.put("put_cells", rounded(round.putCells));
      one.put("commit_ms", rounded(round.commitMillis));
      for (var line : round.lines) {
        one.put(line.name, rounded(line.measured));
        one.put(line.name + "_predicted", rounded(line.predicted));
      }
      list.add(one);
    }
    document.put("rounds", list);
    return document;
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}
