package io.cellmesh.cli.commands;

import picocli.CommandLine.Command;

/** {@code dc}: data centres that come to an instance, and go. */
@Command(
    name = "dc",
    header = "Let a data centre join an instance.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {DcAddCommand.class})
final class DcCommand {}
