package io.cellmesh.operations.conflict;

import io.cellmesh.operations.OperationException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Conflicts of some ledgers: those that are not told yet, then the others, the one that was told
 * last first.
 *
 * @param unread the ledgers that could not be read; what they hold is missing
 * @param next the cursor behind which the next page begins; empty on the last one
 */
public record ConflictPage(List<Conflict> conflicts, List<Unread> unread, Optional<String> next) {

  /** A ledger that could not be read. */
  public record Unread(String datacenter, String cluster, String address, String why) {
    /** Says it in a sentence. */
    public String text() {
      return "the ledger of %s in %s (%s) can't be read: %s"
          .formatted(cluster, datacenter, address, why);
    }
  }

  /**
   * Puts the beginnings of several ledgers together.
   *
   * @param found of each ledger the first {@code limit} and one more, if it has them
   * @param limit most conflicts of a page
   */
  static ConflictPage of(List<Conflict> found, List<Unread> unread, int limit) {
    var sorted =
        found.stream()
            .sorted(Comparator.comparing(conflict -> conflict.entry().cursor()))
            .limit(limit)
            .toList();
    var next =
        found.size() > limit
            ? Optional.of(sorted.get(limit - 1).entry().cursor().toString())
            : Optional.<String>empty();
    return new ConflictPage(sorted, List.copyOf(unread), next);
  }

  /**
   * Holds the page to have been read from every ledger.
   *
   * @throws OperationException naming each that could not be read, and why
   */
  public void requireComplete() {
    if (!unread.isEmpty()) {
      throw OperationException.unavailable(
          unread.stream().map(Unread::text).collect(Collectors.joining("; ")));
    }
  }
}
