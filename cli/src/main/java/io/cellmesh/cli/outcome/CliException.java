package io.cellmesh.cli.outcome;

/** Ends a command with a message for the user and an exit code. */
public final class CliException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  private CliException(int exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  /** What was asked for does not exist, or a check failed. */
  public static CliException failed(String message) {
    return new CliException(ExitCodes.FAILED, message, null);
  }

  /** The command or its input is wrong. */
  public static CliException usage(String message) {
    return new CliException(ExitCodes.USAGE, message, null);
  }

  /** Something outside is missing or does not answer. */
  public static CliException environment(String message, Throwable cause) {
    return new CliException(ExitCodes.ENVIRONMENT, message, cause);
  }

  /** Something outside is missing or does not answer. */
  public static CliException environment(String message) {
    return environment(message, null);
  }

  public int exitCode() {
    return exitCode;
  }
}
