package io.cellmesh.cli.commands;

import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.operations.check.DeploymentCheck;
import io.cellmesh.operations.check.Finding;
import io.cellmesh.operations.check.Finding.Mark;
import io.cellmesh.stack.StateDirectory;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Style;
import io.cellmesh.terminal.Texts;
import java.io.IOException;
import java.util.EnumMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code deployment}: what concerns the cellmesh.yaml. */
@Command(
    name = "deployment",
    header = "Look at a cellmesh.yaml and at everything that it names.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = DeploymentCommand.Check.class)
final class DeploymentCommand {

  /** {@code deployment check}. */
  @Command(
      name = "check",
      header =
          "Reach everything that a deployment names, and say what is wrong and how to mend it.",
      description =
          "Resolves the secrets, signs on to every MySQL server as the reader and as the operator, looks "
              + "at the servers' settings, at the tables' version and at the rights of the connectors' "
              + "users, asks Kafka for the topics and how safe they are, and has Connect check each "
              + "connector's configuration with the workers' own secrets. Changes nothing. Ends with 1 if "
              + "anything is wrong; a warning is not.")
  static final class Check implements Callable<Integer> {
    private final Console console;

    @Mixin private Target target;

    Check(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
      var deployment = target.open();
      var counts = new EnumMap<Mark, Integer>(Mark.class);
      new DeploymentCheck(deployment, StateDirectory.home().resolve("connectors"))
          .run(
              finding -> {
                counts.merge(finding.mark(), 1, Integer::sum);
                console.line(line(finding));
              });
      int wrong = counts.getOrDefault(Mark.WRONG, 0);
      console.line(
          "%s: %d well, %s, %d wrong"
              .formatted(
                  deployment.source(),
                  counts.getOrDefault(Mark.GOOD, 0),
                  Texts.count(counts.getOrDefault(Mark.WARNING, 0), "warning", "warnings"),
                  wrong));
      return wrong == 0 ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private String line(Finding finding) {
      var mark =
          switch (finding.mark()) {
            case GOOD -> console.style(Style.GREEN, "✓");
            case WARNING -> console.style(Style.YELLOW, "!");
            case WRONG -> console.style(Style.RED, "✗");
          };
      return "%s %s %s: %s".formatted(mark, finding.datacenter(), finding.part(), finding.text());
    }
  }
}
