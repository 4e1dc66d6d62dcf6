package io.cellmesh.cli.commands;

import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.operations.status.Pipeline;
import io.cellmesh.operations.status.PipelineHop;
import io.cellmesh.operations.status.Quiescence;
import io.cellmesh.operations.verify.Verification;
import io.cellmesh.operations.verify.Verifier;
import io.cellmesh.storage.Pools;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.VerificationReport;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code verify}: the proof. */
@Command(
    name = "verify",
    header = "Prove that nothing was lost, changed or put out of order.",
    description =
        "Waits until nothing is on its way, then reads everything that is retained and checks: "
            + "every record became a cell, a duplicate or was rejected; the order of each shard is the "
            + "same in the topics, the tables and the log; minions, indexes and the other data centres "
            + "hold what follows from it. Ends with 1 if anything does not, naming the first keys, and "
            + "if cells came in meanwhile: only what stands still can be proved.")
final class VerifyCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private Target target;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "120",
      description = "How long to wait for the pipeline to fall quiet (default: 120).")
  private int timeoutSeconds;

  @Option(
      names = "--plugin-path",
      paramLabel = "DIR",
      description =
          "Where the jars of the converter are that the sink reads values with, if it has one.")
  private List<Path> plugins = List.of();

  @Option(names = "--json", description = "Print a JSON document with all counts.")
  private boolean json;

  VerifyCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, SQLException, InterruptedException {
    var deployment = target.open();
    var behind = awaitQuiet(console, deployment, Duration.ofSeconds(timeoutSeconds));
    var verification = verify(console, deployment, plugins);
    var report = new VerificationReport(verification, behind);
    if (json) {
      console.json(report.document());
    } else {
      report.print(console);
    }
    return verification.passed() ? ExitCodes.OK : ExitCodes.FAILED;
  }

  static List<PipelineHop> awaitQuiet(Console console, Deployment deployment, Duration timeout)
      throws SQLException, InterruptedException {
    try (var pools = new Pools(deployment.operator());
        var pipeline = new Pipeline(deployment, pools);
        var bar = console.progress("cells on their way", 0)) {
      return new Quiescence(pipeline::hops)
          .await(timeout, hops -> bar.set(hops.stream().mapToLong(PipelineHop::behind).sum()));
    }
  }

  static Verification verify(Console console, Deployment deployment, List<Path> plugins)
      throws SQLException {
    try (var bar = console.progress("checking partitions", deployment.shards().partitions())) {
      return new Verifier(deployment, plugins).run(bar::set);
    }
  }
}
