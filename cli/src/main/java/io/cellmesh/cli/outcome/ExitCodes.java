package io.cellmesh.cli.outcome;

/** What the exit code of every command means. */
public final class ExitCodes {
  public static final int OK = 0;

  /** A check failed, it was refused, or what was asked for does not exist. */
  public static final int FAILED = 1;

  /** The command, its input or its configuration is wrong. */
  public static final int USAGE = 2;

  /** Something outside is missing or does not answer. */
  public static final int ENVIRONMENT = 3;

  /** A fault of Cellmesh itself (EX_SOFTWARE of sysexits.h). */
  public static final int BUG = 70;

  private ExitCodes() {}
}
