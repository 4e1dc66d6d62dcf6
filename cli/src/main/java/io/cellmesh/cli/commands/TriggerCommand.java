package io.cellmesh.cli.commands;

import picocli.CommandLine.Command;

/** {@code trigger}: callbacks over the log. */
@Command(
    name = "trigger",
    header = "Create and run triggers, see how they are, and tell them where to go on.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      TriggerCreateCommand.class,
      TriggerRunCommand.class,
      TriggerLsCommand.class,
      TriggerStatusCommand.class,
      TriggerPauseCommand.class,
      TriggerResumeCommand.class,
      TriggerRewindCommand.class,
      TriggerDeleteCommand.class,
      TriggerParkedCommand.class
    })
final class TriggerCommand {}
