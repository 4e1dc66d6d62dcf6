package io.cellmesh.cli.commands;

import io.cellmesh.cell.Topology;
import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.buffer.BufferReader;
import io.cellmesh.operations.mesh.MeshKnows;
import io.cellmesh.operations.promotion.Promotion;
import io.cellmesh.operations.promotion.PromotionPlan;
import io.cellmesh.storage.Pools;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Style;
import io.cellmesh.terminal.Texts;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code promote}. */
@Command(
    name = "promote",
    header = "Make a minion the master of its storage cluster.",
    description = {
      "For a master that is lost or is to be replaced. A master that answers is fenced, and the"
          + " minion first gets all that it has; then the old master stays as a minion. One that"
          + " does not answer is left out of the topology: what the minion lacks comes back from"
          + " the buffers, in order.",
      "",
      "Refused is a minion that lacks transactions which another minion has or whose cells the log"
          + " has shown, or cells that another data centre has, and so is a server that was"
          + " restored from a backup. The answer names what is missing, and what to run instead. A"
          + " data centre that does not answer within 10 s is named and holds nothing up.",
      "",
      "Interrupted at any moment, the same command goes on. With the present master it opens that"
          + " one again after a restart, if no other was promoted meanwhile."
    })
final class PromoteCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private ClusterTarget target;

  @Option(
      names = "--to",
      paramLabel = "HOST:PORT",
      required = true,
      description = "The server that is to be the master; its host will do if that is unique.")
  private String to;

  @Option(
      names = "--old-master-is-gone",
      description =
          "Say that a master which does not answer is dead or cut off from every writer, rather"
              + " than be asked.")
  private boolean gone;

  @Option(
      names = "--has-everything",
      description =
          "Give your word that the server lacks nothing, where no other server of the cluster"
              + " answers and no running source can tell what the log has shown, or whatever"
              + " another data centre says. If it does lack something, because it was restored from"
              + " a backup or its disk has lost writes, its GTIDs and added_ids go to other cells:"
              + " the log skips those in silence, and a minion that comes back parts from it"
              + " unnoticed.")
  private boolean hasEverything;

  @Option(names = "--dry-run", description = "Say what would be done, and do nothing.")
  private boolean dryRun;

  @Mixin private OwnedConnectors owned;

  PromoteCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws Exception {
    var site = target.site();
    if (!dryRun) {
      owned.requirePaused(site);
    }
    var others = new MeshKnows(target.others());
    try (var promotion = new Promotion(site, target.cluster(), to, others)) {
      var plan = promotion.plan(hasEverything);
      if (dryRun) {
        plan.intentions().forEach(console::line);
        plan.warnings().forEach(this::warn);
        return ExitCodes.OK;
      }
      if (!mayLeaveBehind(plan)) {
        console.note(
            "nothing was changed; say --old-master-is-gone if %s is dead or cut off from every writer"
                .formatted(plan.cluster().master().address()));
        return ExitCodes.FAILED;
      }
      var after = promotion.run(plan, console.steps(), stage -> {});
      report(site, after);
      promotion.remarks().forEach(console::line);
      plan.warnings().forEach(this::warn);
    }
    owned.handOver(console, site);
    return ExitCodes.OK;
  }

  private void warn(String warning) {
    console.line(console.style(Style.YELLOW, "warning: " + warning));
  }

  private boolean mayLeaveBehind(PromotionPlan plan) {
    return plan.candidateIsListed()
        || plan.oldMasterAnswers()
        || gone
        || console.confirm(
            "The old master %s does not answer, so it can't be fenced. Is it dead, or cut off from every writer?"
                .formatted(plan.cluster().master().address()));
  }

  private void report(DataCenter site, Topology topology) {
    var changed = topology.cluster(target.cluster());
    console.line(RolesText.lineWithEpoch(changed));
    try (var pools = new Pools(site.operator())) {
      var buffers = new BufferReader(topology, pools).view(Optional.of(changed.name()));
      for (var view : buffers.primaries()) {
        console.line(
            "the buffers hold %s for %s that it lacks, and %s that it has; watch with `cellmesh buffer ls` and `cellmesh status`"
                .formatted(
                    Texts.count(view.waitingCells(), "cell", "cells"),
                    changed.name(),
                    Texts.count(view.keptCells())));
      }
    }
    if (changed.minions().isEmpty()) {
      console.line(
          "copies are kept until %s has a minion again: `cellmesh minion add --cluster %s`"
              .formatted(changed.name(), changed.name()));
    }
  }
}
