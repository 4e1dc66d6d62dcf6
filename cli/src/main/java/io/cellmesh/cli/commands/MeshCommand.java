package io.cellmesh.cli.commands;

import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.mesh.LinkPlace;
import io.cellmesh.terminal.Console;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mesh}: whether the links between data centres can go on, and the way on if not. */
@Command(
    name = "mesh",
    header = "See whether a link between data centres is halted, and let it go on.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {MeshCommand.Check.class, MeshCommand.Accept.class})
final class MeshCommand {

  /** {@code mesh check}. */
  @Command(
      name = "check",
      header = "Compare the places of all links with the logs of their peers.",
      description =
          "For every link: does the peer's log still have what comes next, and is it the log that "
              + "the link began to read. Exit code 1 if one is halted for that.")
  static final class Check implements Callable<Integer> {
    private final Console console;

    @Mixin private Target target;

    Check(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
      var deployment = target.open();
      int links = 0;
      boolean good = true;
      for (var here : deployment.datacenters()) {
        for (var peer : deployment.datacenters()) {
          if (!peer.equals(here)) {
            links++;
            good &= fits(here, peer);
          }
        }
      }
      if (good) {
        console.line(links == 1 ? "the link can go on" : "%d links can go on".formatted(links));
      }
      return good ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private boolean fits(DataCenter here, DataCenter peer) throws InterruptedException {
      if (!peer.knowsKafka() || !here.knowsKafka()) {
        console.note(
            "%s from %s: not looked at from here; its herb-replicator's /health says how it is"
                .formatted(here.name(), peer.name()));
        return true;
      }
      var findings = LinkPlace.of(here, peer).findings();
      if (!findings.isEmpty()) {
        console.line("%s from %s is halted:".formatted(here.name(), peer.name()));
        findings.forEach(finding -> console.line("  " + finding));
        console.note(
            "`cellmesh mesh accept --dc %s --peer %s` goes on without what is lost"
                .formatted(here.name(), peer.name()));
      }
      return findings.isEmpty();
    }
  }

  /** {@code mesh accept}. */
  @Command(
      name = "accept",
      header = "Go on after what a link would read next has expired, or the peer's log is another.",
      description =
          "Moves a link of herb-replicator behind records that the peer's log no longer has, and to"
              + " the beginning of a log that was made again (what is stored already changes"
              + " nothing). The halted link goes on by itself within seconds. Without --yes it only"
              + " says what it would do.")
  static final class Accept implements Callable<Integer> {
    private final Console console;

    @Mixin private DataCenterTarget target;

    @Option(
        names = "--peer",
        required = true,
        paramLabel = "NAME",
        description = "The data centre whose cells the link brings here.")
    private String peer;

    @Option(names = "--yes", description = "Do it.")
    private boolean yes;

    Accept(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
      Deployment deployment = target.open();
      var here = target.of(deployment);
      var there = deployment.datacenter(Optional.of(peer));
      if (there.equals(here)) {
        throw OperationException.invalid("--peer: %s is the data centre itself".formatted(peer));
      }
      if (!there.knowsKafka()) {
        return ask(here);
      }
      var place = LinkPlace.of(here, there);
      var findings = place.findings();
      if (findings.isEmpty()) {
        console.line(
            "nothing to accept: the log of %s has all that comes next".formatted(there.name()));
        return ExitCodes.OK;
      }
      findings.forEach(console::line);
      if (!yes) {
        console.note("nothing was changed; say --yes to go on without what is lost");
        return ExitCodes.FAILED;
      }
      place.accept();
      console.line("accepted; the link goes on");
      return ExitCodes.OK;
    }

    /** What the log of a peer lacks whose brokers are out of reach is known to the link alone. */
    private int ask(DataCenter here) throws InterruptedException {
      if (!yes) {
        console.note("herb-replicator's /health says what is lost; say --yes to go on without it");
        return ExitCodes.FAILED;
      }
      LinkPlace.ask(here, peer);
      console.line("asked; the link goes on within seconds");
      return ExitCodes.OK;
    }
  }
}
