package io.cellmesh.triggers.webhook;

/** What follows from the status of an answer. */
enum Verdict {
  /** The receiver has taken the cell. */
  DONE,
  /** The receiver may take it another time. */
  RETRY,
  /** The receiver will never take it. */
  PARK;

  private static final int REQUEST_TIMEOUT = 408;
  private static final int TOO_EARLY = 425;
  private static final int TOO_MANY_REQUESTS = 429;

  /**
   * Judges a status: 2xx is done; 5xx, 408, 425 and 429 pass; of all others, redirections too,
   * another attempt would get the same.
   */
  static Verdict of(int status) {
    return switch (status / 100) {
      case 2 -> DONE;
      case 5 -> RETRY;
      default ->
          status == REQUEST_TIMEOUT || status == TOO_EARLY || status == TOO_MANY_REQUESTS
              ? RETRY
              : PARK;
    };
  }
}
