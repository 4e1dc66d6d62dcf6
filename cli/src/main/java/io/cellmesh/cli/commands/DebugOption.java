package io.cellmesh.cli.commands;

import picocli.CommandLine.Option;

/** {@code --debug}, which every command has. */
public final class DebugOption {
  /** Read by logback.xml, so it has to be set before the first logger exists. */
  private static final String LOG_LEVEL = "cellmesh.log";

  @Option(
      names = "--debug",
      scope = picocli.CommandLine.ScopeType.INHERIT,
      description = "Show stack traces, and the libraries' warnings.")
  void debug(boolean on) {
    if (on) {
      System.setProperty(LOG_LEVEL, "WARN");
    }
  }

  public static boolean isOn() {
    return System.getProperty(LOG_LEVEL) != null;
  }
}
