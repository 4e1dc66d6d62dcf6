package io.cellmesh.operations.mesh;

import io.cellmesh.cell.LinkHold;
import io.cellmesh.cell.proof.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What is proved of the cells of an origin in another data centre.
 *
 * @param origin the data centre that wrote them first
 * @param datacenter the other one
 * @param verdict empty if one of both can't be read
 * @param why it can't be read; else empty
 * @param absent the cells that its log has not, as far as they were looked up in its tables
 * @param unexamined cells that its log has not and that were not looked up
 * @param hold what holds the link, or one of both data centres that is given up as lost
 * @param now milliseconds since 1970
 */
public record LinkProof(
    String origin,
    String datacenter,
    Optional<Verdict> verdict,
    String why,
    List<CellDifference> absent,
    long unexamined,
    Optional<LinkHold> hold,
    long now) {
  /** Foldings are heard of every 10 s at least. */
  private static final Duration STALE = Duration.ofMinutes(1);

  public LinkProof {
    absent = List.copyOf(absent);
  }

  /** Cells of whatever that is missing here without a reason. */
  public List<CellDifference> lost() {
    return absent.stream().filter(cell -> cell.kind().wrong()).toList();
  }

  /** Cells that are not here because their keys were taken by others. */
  public long conflicts() {
    return count(CellDifference.Kind.REFUSED);
  }

  /** Cells that were accepted by both data centres. */
  public long acceptedByBoth() {
    return count(CellDifference.Kind.ACCEPTED_HERE);
  }

  /** How many differences there are: buckets that differ, and cells that are lost. */
  public int differences() {
    return lost().size() + verdict.map(found -> found.differences().size()).orElse(0);
  }

  /** Whether both hold the same as far as both have told, and have told of late. */
  public boolean agrees() {
    return differences() == 0 && doubt().isEmpty();
  }

  /**
   * Why it can't be said that they agree, though no difference is known; empty if it can, and of a
   * data centre that is given up as lost, of which nobody expects that.
   */
  public Optional<String> doubt() {
    if (hold.filter(held -> held.kind() == LinkHold.Kind.LOST).isPresent()) {
      return Optional.empty();
    }
    if (verdict.isEmpty()) {
      return Optional.of(why);
    }
    var proven = verdict.get().provenAt();
    if (proven.isEmpty()) {
      return Optional.of(
          "not all partitions are folded yet in both; do herb-replicators run there?");
    }
    long age = now - proven.getAsLong();
    return age < STALE.toMillis()
        ? Optional.empty()
        : Optional.of(
            "a partition was heard of %d s ago, in one of both; does herb-replicator run there?"
                .formatted(Duration.ofMillis(age).toSeconds()));
  }

  /** How old the oldest cell is, at least, that has not arrived; zero if none waits. */
  public Duration lag() {
    var since = verdict.flatMap(found -> found.waitingSince().stream().boxed().findFirst());
    return Duration.ofMillis(since.map(at -> Math.max(0, now - at)).orElse(0L));
  }

  private long count(CellDifference.Kind kind) {
    return absent.stream().filter(cell -> cell.kind() == kind).count();
  }
}
