package io.cellmesh.bench;

import io.cellmesh.bench.IndexFigures.Hop;
import java.util.Arrays;
import java.util.List;

/**
 * The time from the return of a cell's commit to its entries, over all rounds together, in
 * milliseconds.
 *
 * @param log which server the log is read from, and how
 * @param rate cells a second that were asked for
 * @param rounds in their order, one at least
 */
public record FreshFigures(String log, int rate, List<FreshRound> rounds) {
  public FreshFigures {
    rounds = List.copyOf(rounds);
  }

  /**
   * The watched entries of a round.
   *
   * @param written cells a second that there were
   * @param way of each entry, in nanoseconds
   * @param hops the parts of the way, in their order, each in the order of the entries
   * @param atRest how late threads woke up before the round
   * @param meanwhile how late threads woke up during the round
   * @param load of the processors meanwhile
   * @param yardstick times of the {@link Yardstick} before the round
   */
  public record FreshRound(
      double written,
      long[] way,
      List<Part> hops,
      Hop atRest,
      Hop meanwhile,
      Round load,
      Hop yardstick) {
    public FreshRound {
      hops = List.copyOf(hops);
    }

    /** Of the way. */
    public double percentile(double percent) {
      return Statistics.percentile(way, percent) / 1e6;
    }
  }

  /** A part of the way of each entry, in nanoseconds. */
  public record Part(String name, long[] nanos) {}

  /**
   * Of the entries of all rounds.
   *
   * @param percent above 0, at most 100
   */
  public double percentile(double percent) {
    return Statistics.percentile(all(rounds.stream().map(FreshRound::way).toList()), percent) / 1e6;
  }

  /** Entries that were watched. */
  public int sampled() {
    return rounds.stream().mapToInt(round -> round.way().length).sum();
  }

  /** Cells a second that there were, on average. */
  public double written() {
    return rounds.stream().mapToDouble(FreshRound::written).average().orElseThrow();
  }

  /** Where the time goes, in the order of the way. */
  public List<Hop> hops() {
    return rounds.get(0).hops().stream().map(part -> hop(part.name())).toList();
  }

  /** The last round, whose JVMs are the warmest. */
  public FreshRound last() {
    return rounds.get(rounds.size() - 1);
  }

  private Hop hop(String name) {
    var nanos =
        all(
            rounds.stream()
                .flatMap(round -> round.hops().stream())
                .filter(part -> part.name().equals(name))
                .map(Part::nanos)
                .toList());
    return Hop.of(name, nanos);
  }

  private static long[] all(List<long[]> each) {
    return each.stream().flatMapToLong(Arrays::stream).toArray();
  }
}
