package io.cellmesh.stack.chaos;

import java.time.Duration;
import java.util.Optional;

/**
 * A fault that is over.
 *
 * @param at since the beginning of the run
 * @param lasted from the blow until it was mended
 * @param recovered how long cells were late after {@link FaultKind#clock}
 * @param bound how long cells may be late after it, or after another one of its round
 * @param agreed of a data centre that was away: how long after its return, and that of the others
 *     of its round, all had proved that they agree on what was written before
 * @param sessions what they met from the first blow of the round until all had recovered
 * @param others of a data centre that was away: what the others felt of it
 */
public record Struck(
    int number,
    FaultKind kind,
    String victim,
    Duration at,
    Duration lasted,
    Duration recovered,
    Duration bound,
    Optional<Duration> agreed,
    SessionCounts sessions,
    Optional<OthersHop> others) {
  /** How long after a return the data centres may take to prove that they agree. */
  public static final Duration AGREED_WITHIN = Duration.ofSeconds(60);

  /** Whether both were under way at some moment. */
  boolean overlaps(Struck other) {
    return at.compareTo(other.end()) <= 0 && other.at.compareTo(end()) <= 0;
  }

  /** Whether cells were late for longer than they may be. */
  public boolean isBeyondBound() {
    return recovered.compareTo(bound) > 0;
  }

  /** Whether the data centres proved later than they should that they agree. */
  public boolean isAgreedLate() {
    return agreed.filter(proved -> proved.compareTo(AGREED_WITHIN) > 0).isPresent();
  }

  /** Whether the data centre that was away delayed what goes between the others. */
  public boolean hasDelayedOthers() {
    return others.filter(OthersHop::isDelayed).isPresent();
  }

  /** Whether it was felt more than it may be. */
  boolean isFeltTooMuch() {
    return isBeyondBound() || isAgreedLate() || hasDelayedOthers();
  }

  private Duration end() {
    return at.plus(lasted);
  }
}
