package io.cellmesh.cli.commands;

import io.cellmesh.cell.LinkHold;
import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.operations.mesh.DataCenterLoss;
import io.cellmesh.operations.mesh.DataCenterRemoval;
import io.cellmesh.operations.mesh.DataCenterReturn;
import io.cellmesh.operations.mesh.LinkHolds;
import io.cellmesh.terminal.Console;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code dc}: what becomes of a data centre of the mesh. */
@Command(
    name = "dc",
    header =
        "Let a data centre join, pause links between data centres, and go on without one that is"
            + " gone.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      DcAddCommand.class,
      DcCommand.Pause.class,
      DcCommand.Resume.class,
      DcCommand.Lost.class,
      DcCommand.Back.class,
      DcCommand.Remove.class
    })
final class DcCommand {

  /** Which link is meant. */
  static final class Link {
    @Mixin private Target target;

    @Parameters(index = "0", paramLabel = "ORIGIN", description = "The data centre that wrote.")
    private String origin;

    @Parameters(index = "1", paramLabel = "INTO", description = "The one that its cells come to.")
    private String into;

    LinkHolds holds() throws IOException {
      return LinkHolds.of(target.open(), origin, into);
    }

    @Override
    public String toString() {
      return "%s in %s".formatted(origin, into);
    }
  }

  /** {@code dc pause}. */
  @Command(
      name = "pause",
      header = "Let the link that brings a data centre's cells to another one stand still.",
      description =
          "Within seconds, until it is resumed, whatever is restarted. It falls behind meanwhile:"
              + " mind the retention of the origin's log. No alert tells of a link that is paused.")
  static final class Pause implements Callable<Integer> {
    private final Console console;

    @Mixin private Link link;

    Pause(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
      var hold = link.holds().pause(link.origin, System.getProperty("user.name"));
      console.line("%s: %s".formatted(link, hold.text()));
      return ExitCodes.OK;
    }
  }

  /** {@code dc resume}. */
  @Command(
      name = "resume",
      header = "Let a link that is paused go on at its place.",
      description = "One whose peer is given up as lost goes on with `cellmesh dc back`.")
  static final class Resume implements Callable<Integer> {
    private final Console console;

    @Mixin private Link link;

    Resume(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
      var held = link.holds().resume(link.origin);
      console.line(
          "%s: %s"
              .formatted(
                  link,
                  held.map(LinkHold::text)
                      .map(text -> "goes on; was " + text)
                      .orElse("not paused")));
      return ExitCodes.OK;
    }
  }

  /** Which data centre is gone. */
  static final class Gone {
    @Mixin private Target target;

    @Parameters(index = "0", paramLabel = "NAME", description = "The data centre that is gone.")
    private String name;

    @Option(names = "--yes", description = "Do it.")
    private boolean yes;

    DataCenterLoss loss() throws IOException {
      return DataCenterLoss.of(target.open(), name);
    }
  }

  /** {@code dc lost}. */
  @Command(
      name = "lost",
      header = "Give up a data centre that is gone: relay what only some have of it.",
      description =
          "The links to it stand still, and no alert tells of them any more. In each shard whoever"
              + " has most of its cells relays them to the others, in its order; what no topic has any"
              + " more is read from tables. The same again goes on after an interruption. Without --yes it only says what they lack, and"
              + " until when the data centre can come back.")
  static final class Lost implements Callable<Integer> {
    private final Console console;

    @Mixin private Gone gone;

    @Mixin private TableRate rate;

    Lost(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() throws Exception {
      var loss = gone.loss();
      if (!gone.yes) {
        loss.findings().forEach(console::line);
        console.note("nothing was changed; say --yes to give %s up".formatted(gone.name));
        return ExitCodes.FAILED;
      }
      var beyond = loss.run(System.getProperty("user.name"), rate.get(), console.steps());
      beyond.forEach(console::line);
      loss.deadlines().forEach(console::line);
      return beyond.isEmpty() ? ExitCodes.OK : ExitCodes.FAILED;
    }
  }

  /** {@code dc back}. */
  @Command(
      name = "back",
      header = "Take back a data centre that was given up, or restored from a backup.",
      description = {
        "Holds what the others and its log have of its own cells against its tables. If it has lost"
            + " nothing, the links to it go on at their places.",
        "",
        "What it has lost, because its servers come from a backup, is said, and with --yes it comes"
            + " back: its masters are opened with added_ids beyond all that others know, the lost"
            + " cells come through its mesh topic under their old ids, and then its sink takes what"
            + " producers write. The same again goes on after an interruption. Exit code 1 if"
            + " something has to be looked at."
      })
  static final class Back implements Callable<Integer> {
    private final Console console;

    @Mixin private Target target;

    @Parameters(index = "0", paramLabel = "NAME", description = "The data centre that is back.")
    private String name;

    @Option(names = "--yes", description = "Bring back what it has lost.")
    private boolean yes;

    @Mixin private TableRate rate;

    Back(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() throws Exception {
      var back = DataCenterReturn.of(target.open(), name);
      var findings = yes ? List.<String>of() : back.findings();
      if (!findings.isEmpty()) {
        findings.forEach(console::line);
        console.note("nothing was changed; say --yes to bring %s back".formatted(name));
        return ExitCodes.FAILED;
      }
      var told = back.run(rate.get(), console.steps());
      console.line("%s is back; the links to it go on".formatted(name));
      told.forEach(console::line);
      return told.isEmpty() ? ExitCodes.OK : ExitCodes.FAILED;
    }
  }

  /** {@code dc remove}. */
  @Command(
      name = "remove",
      header = "Forget a data centre that is given up and does not come back.",
      description =
          "Once all others have the same of its cells, which stay: the places and checkpoints of"
              + " its links are removed, and what to take out of cellmesh.yaml is said. Another one"
              + " may take its name with `cellmesh dc add`.")
  static final class Remove implements Callable<Integer> {
    private final Console console;

    @Mixin private Gone gone;

    Remove(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() throws Exception {
      var removal = new DataCenterRemoval(gone.loss());
      if (gone.yes) {
        removal.run(console.steps());
        removal.remains().forEach(console::line);
        return ExitCodes.OK;
      }
      console.note("nothing was changed; say --yes to forget %s".formatted(gone.name));
      return ExitCodes.FAILED;
    }
  }
}
