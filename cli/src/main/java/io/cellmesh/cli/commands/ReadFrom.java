package io.cellmesh.cli.commands;

import java.util.Locale;
import picocli.CommandLine.Option;

/** The option that says which server is asked. */
final class ReadFrom {
  /** The choices; their names are what is typed. */
  enum Server {
    MASTER,
    MINION;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Option(
      names = "--from",
      paramLabel = "SERVER",
      defaultValue = "MASTER",
      description =
          "master or minion (default: master). A minion may not have the newest cells yet.")
  private Server server;

  boolean minion() {
    return server == Server.MINION;
  }
}
