package io.cellmesh.cli.commands;

import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.minion.MinionAddition;
import io.cellmesh.operations.minion.MinionRemoval;
import io.cellmesh.operations.minion.ServerHost;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Texts;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code minion}: the servers that follow a cluster's master. */
@Command(
    name = "minion",
    header = "Give a storage cluster another minion, or take one out.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {MinionCommand.Add.class, MinionCommand.Remove.class})
final class MinionCommand {

  /** {@code HOST:PORT}, with MySQL's own port where none is said. */
  private static Server server(String address, Optional<String> domain) {
    int colon = address.lastIndexOf(':');
    try {
      var host = colon < 0 ? address : address.substring(0, colon);
      int port = colon < 0 ? 3306 : Integer.parseInt(address.substring(colon + 1));
      return new Server(host, port, domain.orElse(host));
    } catch (NumberFormatException e) {
      throw OperationException.invalid("--server: \"" + address + "\" is not HOST:PORT");
    }
  }

  /** {@code minion add}. */
  @Command(
      name = "add",
      header = "Seed a server with a cluster's data and let it follow the master.",
      description = {
        "A server that has a part of the cluster's transactions and no others goes on from there, as an "
            + "old master does that is started again and has lost nothing. Any other is seeded with a clone "
            + "of a minion, or of the master if there is none, while cells flow; what it held is deleted. It "
            + "must run the same version of MySQL. Once it has caught up the topology and the connectors "
            + "list it, and copies that were kept for want of a minion go.",
        "",
        "On a stack of this tool a new mysqld is started, unless --server names one of the stack. "
            + "Interrupted at any moment, the same command with --server goes on."
      })
  static final class Add implements Callable<Integer> {
    private final Console console;

    @Mixin private ClusterTarget target;

    @Option(
        names = "--server",
        paramLabel = "HOST:PORT",
        description = "The server; on a stack of this tool a new one is started by default.")
    private Optional<String> server = Optional.empty();

    @Option(
        names = "--domain",
        paramLabel = "NAME",
        description = "Its failure domain (default: its host; on a stack of this tool its name).")
    private Optional<String> domain = Optional.empty();

    @Option(
        names = "--overwrite",
        description = "Delete the databases that the server holds, rather than be asked.")
    private boolean overwrite;

    @Mixin private OwnedConnectors owned;

    Add(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() throws Exception {
      var site = target.site();
      owned.requirePaused(site);
      try (var addition = new MinionAddition(site, target.cluster())) {
        var machine = machine();
        machine.start();
        var lost = server.isEmpty() ? List.<String>of() : addition.overwritten(machine.server());
        if (!lost.isEmpty() && !overwrite && !console.confirm(question(machine, lost.size()))) {
          console.note("nothing was changed; say --overwrite to go on");
          return ExitCodes.FAILED;
        }
        var after = addition.run(machine, console.steps());
        console.line(RolesText.line(after.cluster(target.cluster())));
        addition.remarks().forEach(console::line);
      }
      owned.handOver(console, site);
      return ExitCodes.OK;
    }

    private static String question(ServerHost machine, int databases) {
      return "%s holds %s that the clone deletes. Go on?"
          .formatted(machine.server().address(), Texts.count(databases, "database", "databases"));
    }

    private ServerHost machine() throws Exception {
      var stack = target.stack();
      if (server.isEmpty()) {
        var own =
            stack.orElseThrow(
                () -> OperationException.invalid("--server: which server is to be a minion?"));
        return console
            .steps()
            .call(
                "start a mysqld for " + target.cluster(),
                step -> {
                  var started = own.add(target.cluster(), domain);
                  step.result("mysqld on " + started.server().address());
                  return started;
                });
      }
      return stack
          .flatMap(own -> own.at(server.get(), domain))
          .orElseGet(() -> ServerHost.of(server(server.get(), domain)));
    }
  }

  /** {@code minion remove}. */
  @Command(
      name = "remove",
      header = "Take a minion out of the topology, dead or alive.",
      description =
          "The buffers keep copies until every listed minion has the cells: a dead one keeps them for "
              + "ever. On a stack of this tool its mysqld is stopped.")
  static final class Remove implements Callable<Integer> {
    private final Console console;

    @Mixin private ClusterTarget target;

    @Option(
        names = "--server",
        paramLabel = "HOST:PORT",
        required = true,
        description = "The minion.")
    private String server;

    @Mixin private OwnedConnectors owned;

    Remove(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() throws Exception {
      var site = target.site();
      owned.requirePaused(site);
      var removal = new MinionRemoval(site, target.cluster());
      var address = server(server, Optional.empty()).address();
      var after = removal.run(address, console.steps()).cluster(target.cluster());
      var machine = target.stack().flatMap(own -> own.at(address, Optional.empty()));
      machine.ifPresent(ServerHost::stop);
      console.line(RolesText.line(after));
      removal.remarks().forEach(console::line);
      if (machine.isEmpty()) {
        console.line("if it still runs, end its replication: STOP REPLICA; RESET REPLICA ALL");
      }
      if (after.minions().isEmpty()) {
        console.line(
            "copies are kept from now on, until %s has a minion again: `cellmesh minion add --cluster %s`"
                .formatted(after.name(), after.name()));
      }
      owned.handOver(console, site);
      return ExitCodes.OK;
    }
  }
}
