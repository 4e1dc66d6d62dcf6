package io.cellmesh.cli;

import io.cellmesh.bench.InvalidPlanException;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.TopologyException;
import io.cellmesh.cell.index.IndexDefinitionException;
import io.cellmesh.cli.commands.DebugOption;
import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.connect.client.ConnectClientException;
import io.cellmesh.deployment.DeploymentException;
import io.cellmesh.deployment.MissingRightException;
import io.cellmesh.devstack.DevStackException;
import io.cellmesh.operations.OperationException;
import io.cellmesh.storage.MySqlErrors;
import io.cellmesh.storage.SchemaVersionException;
import io.cellmesh.storage.TopologyMismatchException;
import io.cellmesh.terminal.Console;
import io.cellmesh.topics.load.CsvException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.sql.SQLException;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns a failure into one message and an exit code; the trace is for {@code --debug} alone. */
final class FailureReport implements IExecutionExceptionHandler, IParameterExceptionHandler {
  private static final String RIGHTS =
      "; whoever signed on lacks a right: `cellmesh grants --kafka --role operator` prints its ACLs";

  private final Console console;

  FailureReport(Console console) {
    this.console = console;
  }

  @Override
  public int handleExecutionException(
      Exception failure, CommandLine command, ParseResult parseResult) {
    var cause = unwrap(failure);
    if (cause instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    int exitCode = exitCode(cause);
    console.error(message(cause, exitCode));
    if (DebugOption.isOn()) {
      console.trace(failure);
    }
    return exitCode;
  }

  @Override
  public int handleParseException(ParameterException failure, String[] args) {
    var command = failure.getCommandLine();
    console.error(failure.getMessage());
    if (failure instanceof UnmatchedArgumentException unmatched) {
      unmatched.getSuggestions().stream()
          .limit(1)
          .forEach(s -> console.note("Did you mean: " + s + "?"));
    }
    console.note("See " + command.getCommandSpec().qualifiedName() + " --help");
    return ExitCodes.USAGE;
  }

  private static Throwable unwrap(Throwable failure) {
    var cause = failure;
    while ((cause instanceof ExecutionException || cause.getClass() == RuntimeException.class)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  private static int exitCode(Throwable failure) {
    if (failure instanceof OperationException e) {
      return switch (e.kind()) {
        case FAILED, REFUSED -> ExitCodes.FAILED;
        case INVALID -> ExitCodes.USAGE;
        case UNAVAILABLE -> ExitCodes.ENVIRONMENT;
      };
    }
    if (failure instanceof InvalidCellException
        || failure instanceof TopologyException
        || failure instanceof TopologyMismatchException
        || failure instanceof SchemaVersionException
        || failure instanceof NoSuchFileException
        || failure instanceof CsvException
        || failure instanceof IndexDefinitionException
        || failure instanceof DeploymentException
        || failure instanceof InvalidPlanException
        || failure instanceof ParameterException) {
      return ExitCodes.USAGE;
    }
    if (failure instanceof SQLException
        || failure instanceof KafkaException
        || failure instanceof InterruptedException
        || failure instanceof DevStackException
        || failure instanceof ConnectClientException
        || failure instanceof IOException) {
      return ExitCodes.ENVIRONMENT;
    }
    return ExitCodes.BUG;
  }

  /** Whether a right is missing, and the message does not say yet how to give it. */
  private static boolean isRefusal(Throwable failure) {
    return !(failure instanceof MissingRightException)
        && (failure instanceof AuthorizationException
            || failure.getCause() instanceof AuthorizationException);
  }

  private static String message(Throwable failure, int exitCode) {
    var text =
        failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
    if (failure instanceof NoSuchFileException) {
      return text + ": no such file";
    }
    if (failure instanceof SQLException e) {
      return "MySQL: " + MySqlErrors.explain(e);
    }
    if (failure instanceof KafkaException) {
      return "Kafka: " + text + (isRefusal(failure) ? RIGHTS : "");
    }
    if (failure instanceof InterruptedException) {
      return "interrupted";
    }
    if (exitCode == ExitCodes.BUG) {
      return "a fault in cellmesh: "
          + failure.getClass().getSimpleName()
          + ": "
          + text
          + " (--debug shows where)";
    }
    return text;
  }
}
