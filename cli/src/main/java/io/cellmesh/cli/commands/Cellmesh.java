package io.cellmesh.cli.commands;

import io.cellmesh.terminal.Console;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code cellmesh} itself, which only lists the others. */
@Command(
    name = "cellmesh",
    description = {
      "Immutable cells on sharded MySQL, where every shard is also an ordered Kafka log.",
      "With CELLMESH_LOG_FORMAT=json the warnings that --debug adds are lines of JSON.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    scope = picocli.CommandLine.ScopeType.INHERIT,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      DemoCommand.class,
      UpCommand.class,
      DownCommand.class,
      EnvCommand.class,
      StatusCommand.class,
      BufferCommand.class,
      PutCommand.class,
      GetCommand.class,
      QueryCommand.class,
      TailCommand.class,
      LoadCommand.class,
      VerifyCommand.class,
      ConflictsCommand.class,
      CapacityCommand.class,
      ChaosCommand.class,
      BenchCommand.class,
      IngestCommand.class,
      MeshCommand.class,
      DcCommand.class,
      LogCommand.class,
      PromoteCommand.class,
      MinionCommand.class,
      IndexCommand.class,
      TriggerCommand.class,
      WorkerCommand.class,
      DeploymentCommand.class,
      TopologyCommand.class,
      InstanceCommand.class,
      GrantsCommand.class,
      ConnectorsCommand.class,
      StrimziCommand.class
    },
    commandListHeading = "%nCommands:%n",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:a check failed, or what was asked for does not exist",
      "2:the command, its input or its configuration is wrong",
      "3:something outside is missing or does not answer",
      "70:a fault of cellmesh itself"
    })
public final class Cellmesh implements Runnable {
  private final Console console;

  @Spec private CommandSpec spec;

  @Mixin private DebugOption debug;

  public Cellmesh(Console console) {
    this.console = console;
  }

  @Override
  public void run() {
    console.line(spec.commandLine().getUsageMessage().stripTrailing());
  }
}
