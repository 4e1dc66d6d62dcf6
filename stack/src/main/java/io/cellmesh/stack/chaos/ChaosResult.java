package io.cellmesh.stack.chaos;

import io.cellmesh.operations.verify.Verification;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.ToLongFunction;

/**
 * What became of a run.
 *
 * @param exactlyOnce whether the sources were, so that nothing may come again in the log
 * @param strict whether a recovery that took too long fails the run
 * @param secured cells that Kafka has acknowledged, each with a key of its own
 * @param conflicting cells that came again with another body
 * @param expired records that were deleted from the ingest topics, since the sink had passed them
 * @param sessions what was written and read through the workers
 * @param accounts of each data centre, what became of its records
 * @param longestStored the longest time from a cell's acknowledgement to the tables
 * @param longestLogged the longest time from a cell's acknowledgement to the log
 * @param agreed how long after all cells were everywhere the data centres had proved that they
 *     agree; empty of a single one, and if they have not
 * @param broken what did not come back by itself; empty if all did
 */
public record ChaosResult(
    boolean exactlyOnce,
    boolean strict,
    List<Struck> faults,
    Duration took,
    long secured,
    long conflicting,
    long expired,
    SessionCounts sessions,
    List<Account> accounts,
    Duration longestStored,
    Duration longestLogged,
    Optional<Duration> agreed,
    List<String> broken,
    Verification verification) {

  public ChaosResult {
    faults = List.copyOf(faults);
    accounts = List.copyOf(accounts);
    broken = List.copyOf(broken);
  }

  /** Records and cells that are nowhere, in any data centre. */
  public long lost() {
    return sum(Account::lost);
  }

  /** Cells that stand, in the tables or in the log, where another one was before them. */
  public long reordered() {
    return sum(Account::reordered);
  }

  /** Records of the log that came again, to a reader of committed records. */
  public long repeated() {
    return sum(Account::repeated);
  }

  /** Conflicts of known cells that are in the topic of rejected records. */
  public long reported() {
    return sum(Account::conflicts);
  }

  /** Of all data centres together. */
  public long sum(ToLongFunction<Account> count) {
    return accounts.stream().mapToLong(count).sum();
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

  /** Which kinds of faults were under way at the same time, and how often. */
  public SortedMap<Meeting, Long> met() {
    return Meeting.among(faults);
  }

  /** Faults that were felt more than they may be. */
  public List<Struck> beyondBounds() {
    return faults.stream().filter(Struck::isFeltTooMuch).toList();
  }

  /** Whether every promise was kept. */
  public boolean passed() {
    return accounts.stream().allMatch(Account::isClean)
        && (repeated() == 0 || !exactlyOnce)
        && reported() == conflicting
        && sessions.stale() == 0
        && (beyondBounds().isEmpty() || !strict)
        && broken.isEmpty()
        && verification.passed();
  }
}
