package io.cellmesh.operations.log;

import io.cellmesh.cell.LogOffset;
import io.cellmesh.cell.ShardSet;
import io.cellmesh.cell.Topics;
import io.cellmesh.operations.log.RebuildStep.Begin;
import io.cellmesh.operations.log.RebuildStep.GoOn;
import io.cellmesh.operations.log.RebuildStep.Leave;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/**
 * What a rebuild is to do, decided from what was found.
 *
 * <p>Shards are rebuilt in rising order. So a rebuild of which the last of the wanted shards remain
 * is taken for this very one, and goes on; any other is widened by what is wanted, and begins
 * again.
 *
 * @param deletes whether the log's records are deleted while all connectors stand still
 */
public record RebuildPlan(List<RebuildStep> steps, boolean deletes) {

  public RebuildPlan {
    steps = List.copyOf(steps);
  }

  /** A connector as it was found. */
  record Found(SourceConnector connector, SourceState state, Optional<LogOffset> offset) {

    private Optional<ShardSet> rebuild() {
      return offset.flatMap(LogOffset::rebuild);
    }

    /** Asked for by an interrupted run, and surely not begun. */
    private boolean isUntouched() {
      return state.isStopped() && offset.filter(LogOffset::isFreshRebuild).isPresent();
    }
  }

  /**
   * Decides.
   *
   * @param found the connectors of the wish's clusters
   */
  static RebuildPlan of(RebuildRequest wish, List<Found> found) {
    boolean underway =
        !wish.restart()
            && wish.clusters().isEmpty()
            && found.stream().anyMatch(f -> f.rebuild().isPresent() && !f.isUntouched());
    var steps = new ArrayList<RebuildStep>();
    for (var one : found) {
      boolean done = underway && one.rebuild().isEmpty() && one.state().isRunning();
      steps.add(done ? new Leave(one.connector()) : step(wish, one));
    }
    boolean nothingWritten =
        steps.stream().allMatch(step -> step instanceof Begin begin && begin.whole());
    return new RebuildPlan(steps, wish.deleteOld() && nothingWritten);
  }

  List<Begin> begins() {
    return steps.stream().filter(Begin.class::isInstance).map(Begin.class::cast).toList();
  }

  List<GoOn> goingOn() {
    return steps.stream().filter(GoOn.class::isInstance).map(GoOn.class::cast).toList();
  }

  /**
   * The topics that it writes, in words: the log, and those of columns that stand apart as well.
   */
  public String written(Topics topics) {
    var names = new LinkedHashSet<String>();
    for (var step : steps) {
      names.add(step.connector().shape().text(topics));
    }
    for (var step : steps) {
      step.connector().triggers().forEach(column -> names.add(topics.trigger(column)));
    }
    return String.join(", ", names);
  }

  private static RebuildStep step(RebuildRequest wish, Found found) {
    var wanted = wish.of(found.connector().cluster());
    var rebuild = found.rebuild();
    boolean wasStopped = found.state().isStopped();
    if (rebuild.isEmpty()) {
      return new Begin(found.connector(), wanted, false, wasStopped);
    }
    var all = ShardSets.union(rebuild.get(), wanted);
    if (wish.restart() || found.isUntouched()) {
      return new Begin(found.connector(), all, !found.isUntouched(), wasStopped);
    }
    if (!isThatRebuild(wanted, rebuild.get())) {
      return new Begin(found.connector(), all, true, wasStopped);
    }
    return new GoOn(found.connector(), rebuild.get(), !found.state().isRunning());
  }

  /** Whether what remains is all of what is wanted, or the end of it. */
  private static boolean isThatRebuild(ShardSet wanted, ShardSet remaining) {
    var left = ShardSets.of(remaining);
    var asked = ShardSets.of(wanted);
    return left.containsAll(asked) || left.equals(asked.tailSet(left.first()));
  }
}
