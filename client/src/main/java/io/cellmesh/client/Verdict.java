package io.cellmesh.client;

import java.time.Duration;
import java.util.Optional;

/** What an answer means for its call. */
sealed interface Verdict<T> {
  /** It is the result. */
  record Done<T>(T value) implements Verdict<T> {}

  /** The call breaks a rule, so every host would say the same. */
  record Refused<T>(CellmeshException failure) implements Verdict<T> {}

  /**
   * The call may do better at another host.
   *
   * @param after the time that the host asks to wait before that
   * @param hostFailed whether other calls had better go elsewhere, too
   * @param unsent whether it never got there, so that to send it elsewhere is no second time
   */
  record Again<T>(
      CellmeshException failure, Optional<Duration> after, boolean hostFailed, boolean unsent)
      implements Verdict<T> {
    /** Of one that got there. */
    Again(CellmeshException failure, Optional<Duration> after, boolean hostFailed) {
      this(failure, after, hostFailed, false);
    }
  }
}
