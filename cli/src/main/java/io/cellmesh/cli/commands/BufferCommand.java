package io.cellmesh.cli.commands;

import picocli.CommandLine.Command;

/** {@code buffer}: what waits for whom. */
@Command(
    name = "buffer",
    header = "See which cells wait in the buffers, for whom and since when.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {BufferLsCommand.class, BufferShowCommand.class})
final class BufferCommand {}
