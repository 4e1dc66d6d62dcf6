package io.cellmesh.client;

import java.util.Optional;

/** What became of a write, as far as was known when the answer was given (invariant 13). */
public sealed interface WriteResult {

  /** How far the cell has come; empty if it will not be stored. */
  Optional<Reached> reached();

  /** Where the record stands. */
  Optional<Position> position();

  /** Whether the cell has come at least so far. */
  default boolean isAtLeast(Reached level) {
    return reached().filter(reached -> reached.compareTo(level) >= 0).isPresent();
  }

  /**
   * Kafka has it. No more was asked for, or the deadline came first.
   *
   * @param down the master that it waits for, if one is known to be down
   */
  record Accepted(Optional<Position> position, Optional<DownMaster> down) implements WriteResult {
    @Override
    public Optional<Reached> reached() {
      return Optional.of(Reached.ACCEPTED);
    }
  }

  /**
   * Two MySQL servers have it. No more was asked for, or the deadline came first.
   *
   * @param down the master that it waits for, if one is known to be down
   */
  record Secured(Optional<Position> position, Optional<DownMaster> down) implements WriteResult {
    @Override
    public Optional<Reached> reached() {
      return Optional.of(Reached.SECURED);
    }
  }

  /**
   * Two MySQL servers have it, none of them the primary's master, which is down. It becomes visible
   * by itself when that is back.
   */
  record Buffered(Optional<Position> position, DownMaster down) implements WriteResult {
    @Override
    public Optional<Reached> reached() {
      return Optional.of(Reached.SECURED);
    }
  }

  /** Whoever reads the master finds it. Also where the same cell was there before. */
  record Visible(Optional<Position> position) implements WriteResult {
    @Override
    public Optional<Reached> reached() {
      return Optional.of(Reached.VISIBLE);
    }
  }

  /** Every listed minion has it, too. */
  record Replicated(Optional<Position> position) implements WriteResult {
    @Override
    public Optional<Reached> reached() {
      return Optional.of(Reached.REPLICATED);
    }
  }

  /**
   * The key is there with another body, which stays.
   *
   * @param kept SHA-256 of the canonical JSON of the body that stays, in hex ({@code
   *     Body.digest()})
   * @param refused the same of the body that was to be written
   * @param isFinal whether no promotion can change that any more
   */
  record Conflict(Optional<Position> position, String kept, String refused, boolean isFinal)
      implements WriteResult {
    @Override
    public Optional<Reached> reached() {
      return Optional.empty();
    }
  }

  /**
   * The sink refused the record, which the topic of rejected records has.
   *
   * @param reason why
   */
  record Rejected(Optional<Position> position, String reason) implements WriteResult {
    @Override
    public Optional<Reached> reached() {
      return Optional.empty();
    }
  }
}
