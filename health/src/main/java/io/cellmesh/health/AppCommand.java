package io.cellmesh.health;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;

/** The command line of an application, which reads and fails in the same way for each. */
public final class AppCommand {
  private AppCommand() {}

  /**
   * Runs an application with what stands on its command line. What it throws is logged in its name.
   *
   * @return what the process shall end with: the application's own word, 2 if an option or a file
   *     keeps it from being started, 1 after another failure
   */
  public static int run(Callable<Integer> application, String... arguments) {
    return new CommandLine(application)
        .setExecutionExceptionHandler((problem, command, parsed) -> tell(problem, application))
        .execute(arguments);
  }

  private static int tell(Exception problem, Object application) {
    var log = LoggerFactory.getLogger(application.getClass());
    boolean file = problem instanceof IOException;
    log.error("{}", file ? problem.toString() : problem.getMessage());
    log.debug("Details", problem);
    return file || problem instanceof IllegalArgumentException ? ExitCode.USAGE : ExitCode.SOFTWARE;
  }
}
