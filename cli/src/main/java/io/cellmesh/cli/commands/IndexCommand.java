package io.cellmesh.cli.commands;

import picocli.CommandLine.Command;

/** {@code index}: the life of an index. */
@Command(
    name = "index",
    header = "Create, verify, switch and drop indexes while everybody goes on.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      IndexCreateCommand.class,
      IndexStatusCommand.class,
      IndexVerifyCommand.class,
      IndexUnindexedCommand.class,
      IndexAcceptCommand.class,
      IndexSwitchCommand.class,
      IndexDropCommand.class,
      IndexPublishCommand.class
    })
final class IndexCommand {}
