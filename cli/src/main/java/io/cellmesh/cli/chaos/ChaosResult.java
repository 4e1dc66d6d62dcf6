package io.cellmesh.cli.chaos;

import io.cellmesh.cli.verify.Check;
import io.cellmesh.cli.verify.CheckResult;
import io.cellmesh.cli.verify.Verification;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What became of a run.
 *
 * @param exactlyOnce whether the sources were, so that nothing may come again in the log
 * @param secured cells that Kafka has acknowledged, each with a key of its own
 * @param conflicting cells that came again with another body
 * @param lost secured cells that are not in the tables
 * @param longestStored the longest time from a cell's acknowledgement to the tables
 * @param longestLogged the longest time from a cell's acknowledgement to the log
 * @param broken what did not come back by itself; empty if all did
 */
public record ChaosResult(
    boolean exactlyOnce,
    List<Struck> faults,
    Duration took,
    long secured,
    long conflicting,
    long lost,
    Duration longestStored,
    Duration longestLogged,
    List<String> broken,
    Verification verification) {

  public ChaosResult {
    faults = List.copyOf(faults);
    broken = List.copyOf(broken);
  }

  /** Cells that stand, in the tables or in the log, where another one was before them. */
  public long reordered() {
    return offences(Set.of(Check.PRODUCED, Check.LOGGED));
  }

  /** Records of the log that came again, to a reader of committed records. */
  public long repeated() {
    return count(Check.LOGGED, "repeated");
  }

  /** Conflicts that are in the topic of rejected records. */
  public long reported() {
    return count(Check.CONSERVATION, "conflicts");
  }

  /**
   * How long cells were late after the faults of a kind.
   *
   * @param share 0.5 for the median
   * @return the value that so many of them do not exceed; empty if there were none
   */
  public Optional<Duration> recovered(FaultKind kind, double share) {
    var sorted =
        faults.stream()
            .filter(struck -> struck.kind() == kind)
            .map(Struck::recovered)
            .sorted()
            .toList();
    return sorted.isEmpty()
        ? Optional.empty()
        : Optional.of(sorted.get((int) Math.ceil(share * sorted.size()) - 1));
  }

  /** Whether every promise was kept. */
  public boolean passed() {
    return lost == 0
        && (repeated() == 0 || !exactlyOnce)
        && reported() == conflicting
        && broken.isEmpty()
        && verification.passed();
  }

  private long offences(Set<Check> checks) {
    return verification.results().stream()
        .filter(result -> checks.contains(result.check()))
        .mapToLong(CheckResult::offences)
        .sum();
  }

  private long count(Check check, String kind) {
    return verification.results().stream()
        .filter(result -> result.check() == check)
        .mapToLong(result -> result.counts().getOrDefault(kind, 0L))
        .sum();
  }
}
