package io.cellmesh.triggers;

/** Shortens exceptions to what fits a header and a line of a log. */
final class Reasons {
  private static final int LONGEST = 500;

  private Reasons() {}

  /** The exception's class and message, at most 500 characters. */
  static String of(Exception failure) {
    var message = failure.getMessage();
    var reason =
        failure.getClass().getName() + (message == null || message.isEmpty() ? "" : ": " + message);
    return reason.length() <= LONGEST ? reason : reason.substring(0, LONGEST) + "…";
  }
}
