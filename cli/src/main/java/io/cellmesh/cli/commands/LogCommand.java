package io.cellmesh.cli.commands;

import picocli.CommandLine.Command;

/** {@code log}: how the log is made. */
@Command(
    name = "log",
    header = "See how the log is made, and make it again from the tables.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {LogStatusCommand.class, LogRebuildCommand.class})
final class LogCommand {}
