package io.cellmesh.triggers;

import java.time.Duration;
import java.time.Instant;

/**
 * Decides when a halted trigger tries a cell, to see whether what its callback needs is back: one
 * at a time, after a second, and after each that fails twice as long up to three seconds. Has no
 * clock.
 */
final class Probes {
  private static final Duration FIRST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofSeconds(3);

  private boolean halted;
  private Batch underWay;
  private Duration backOff = FIRST;
  private Instant due = Instant.MAX;
  private boolean recovered;

  boolean isHalted() {
    return halted;
  }

  /** Halts, if it is not halted. */
  void halt(Instant now) {
    if (!halted) {
      halted = true;
      backOff = FIRST;
      due = now.plus(backOff);
    }
  }

  /** Is halted no more; what a cell that is under way will say is of use only if it halts again. */
  void goOn() {
    halted = false;
    recovered = false;
  }

  /** Whether a cell is to be tried now. */
  boolean isDue(Instant now) {
    return halted && underWay == null && !now.isBefore(due);
  }

  void began(Batch probe) {
    underWay = probe;
  }

  boolean isUnderWay() {
    return underWay != null;
  }

  /** A batch succeeded, which may be the one that was tried. */
  void succeeded(Batch batch) {
    if (batch == underWay) {
      underWay = null;
      recovered |= halted;
    }
  }

  /** A batch failed, which may be the one that was tried. */
  void failed(Batch batch, Instant now) {
    if (batch == underWay) {
      underWay = null;
      backOff = backOff.multipliedBy(2);
      backOff = backOff.compareTo(LONGEST) > 0 ? LONGEST : backOff;
      due = now.plus(backOff);
    }
  }

  /** A batch ended whose partition was lost meanwhile: it says nothing. */
  void lost(Batch batch) {
    if (batch == underWay) {
      underWay = null;
    }
  }

  /** Says whether a cell succeeded since it halted. */
  boolean hasRecovered() {
    return recovered;
  }

  /** When a cell is to be tried; {@link Instant#MAX} while one is. */
  Instant due() {
    return underWay == null ? due : Instant.MAX;
  }
}
