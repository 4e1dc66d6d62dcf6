package io.cellmesh.health;

import java.io.IOException;
import java.util.Objects;
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
    log.error("{}", file ? problem.toString() : reason(problem));
    log.debug("Details", problem);
    return file || problem instanceof IllegalArgumentException ? ExitCode.USAGE : ExitCode.SOFTWARE;
  }

  /** That a client could not be made Kafka says, and only at the bottom why. */
  private static String reason(Exception problem) {
    var text = Objects.requireNonNullElse(problem.getMessage(), problem.toString());
    Throwable root = problem;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.getMessage() == null || text.contains(root.getMessage())
        ? text
        : text + ": " + root.getMessage();
  }
}
