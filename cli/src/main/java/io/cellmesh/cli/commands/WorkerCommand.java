package io.cellmesh.cli.commands;

import picocli.CommandLine.Command;

/** {@code worker}: cells and indexes over HTTP. */
@Command(
    name = "worker",
    header = "Serve cells and indexes over HTTP.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {WorkerRunCommand.class, WorkerTokenCommand.class})
final class WorkerCommand {}
