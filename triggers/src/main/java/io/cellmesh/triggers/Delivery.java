package io.cellmesh.triggers;

import io.cellmesh.topics.trigger.CellAttempts;
import io.cellmesh.topics.trigger.Reason;
import java.time.Instant;
import java.util.UUID;

/**
 * A cell that was read, until it is finished: what a callback is handed, and with which attempt.
 * The caller makes one for each record that it reads; it is the only object that the way of a cell
 * through the dispatcher costs, so it is also its own place in its lane and in its partition.
 */
final class Delivery {
  final long offset;
  final int shard;
  final long addedId;
  final UUID row;
  final String column;
  final boolean rebuilt;

  /** What the cell counts for in memory. */
  final int bytes;

  /** The caller's own. */
  final Object payload;

  Lane lane;
  Delivery behind;

  long sequence;
  Delivery previous;
  Delivery next;

  /** Whether the transaction that is to park it runs. */
  boolean parking;

  private Trouble trouble;

  Delivery(
      long offset,
      int shard,
      long addedId,
      UUID row,
      String column,
      boolean rebuilt,
      int bytes,
      Object payload) {
    this.offset = offset;
    this.shard = shard;
    this.addedId = addedId;
    this.row = row;
    this.column = column;
    this.rebuilt = rebuilt;
    this.bytes = bytes;
    this.payload = payload;
  }

  /** Which attempt is under way or comes next, from 1. */
  int attempt() {
    return failed() + 1;
  }

  /** How many attempts failed, or began in a process that ended. */
  int failed() {
    return trouble == null ? 0 : trouble.failed;
  }

  /** Says whether it is tried again, so that it is handed over alone. */
  boolean isRetried() {
    return trouble != null && (trouble.failed > 0 || trouble.due != null);
  }

  /** Says whether an attempt began in a process that ended, and none has ended in this one. */
  boolean isSuspect() {
    return trouble != null && trouble.suspect;
  }

  boolean isNoted() {
    return trouble != null && trouble.noted;
  }

  ParkReason verdict() {
    return trouble == null ? null : trouble.verdict;
  }

  /** The reason of the last failure; null if there was none in this process. */
  Reason reason() {
    return trouble == null ? null : trouble.reason;
  }

  Instant firstFailure() {
    return trouble == null ? null : trouble.first;
  }

  Instant lastFailure() {
    return trouble == null ? null : trouble.last;
  }

  Instant due() {
    return trouble == null ? null : trouble.due;
  }

  /** Takes what processes before this one noted. */
  void inherit(CellAttempts noted, int limit) {
    var inherited = trouble();
    inherited.failed = (int) Math.min(noted.attempts(), Integer.MAX_VALUE - 1);
    inherited.first = noted.firstFailure();
    inherited.last = noted.lastFailure();
    inherited.noted = true;
    inherited.suspect = true;
    inherited.verdict = noted.attempts() >= limit ? ParkReason.DIED : null;
  }

  /** What to note before the next attempt. */
  CellAttempts note(Instant now) {
    var noted = trouble();
    noted.noted = true;
    var first = noted.first == null ? now : noted.first;
    return new CellAttempts(
        offset, addedId, attempt(), first, noted.last == null ? now : noted.last);
  }

  /** Counts an attempt that failed, and says nothing of what follows from it. */
  void fail(Reason reason, Instant now) {
    var failing = trouble();
    failing.failed++;
    failing.first = failing.first == null ? now : failing.first;
    failing.last = now;
    failing.reason = reason;
    failing.suspect = false;
  }

  /** Takes back that the last attempt counts. */
  void uncount() {
    trouble.failed--;
  }

  void survive() {
    if (trouble != null) {
      trouble.suspect = false;
    }
  }

  void park(ParkReason verdict) {
    trouble().verdict = verdict;
  }

  void retry(Instant due) {
    trouble().due = due;
  }

  /** Gives a cell whose attempts are used up another one. */
  void reprieve(int limit, Instant now) {
    trouble.verdict = null;
    trouble.failed = Math.min(trouble.failed, limit - 1);
    trouble.due = now;
  }

  private Trouble trouble() {
    if (trouble == null) {
      trouble = new Trouble();
    }
    return trouble;
  }

  /** What only a cell has that did not succeed at once. */
  private static final class Trouble {
    private int failed;
    private Instant first;
    private Instant last;
    private Instant due;
    private Reason reason;
    private ParkReason verdict;
    private boolean suspect;
    private boolean noted;
  }
}
