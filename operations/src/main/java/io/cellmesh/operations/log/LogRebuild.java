package io.cellmesh.operations.log;

import io.cellmesh.cell.LogOffset;
import io.cellmesh.connect.client.Waiting;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.log.RebuildPlan.Found;
import io.cellmesh.operations.log.RebuildStep.Begin;
import io.cellmesh.operations.log.RebuildStep.GoOn;
import io.cellmesh.topics.LogShape;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Plans a rebuild of the log and sets it going. Until the connectors run again an interruption
 * leaves them stopped, with their offsets as they were or asking for the rebuild; the same call
 * then goes on.
 */
public final class LogRebuild {
  private static final Duration STOP = Duration.ofSeconds(120);
  private static final Duration POLL = Duration.ofMillis(200);

  private final LogSources sources;
  private final RebuildRequest wish;
  private final List<SourceConnector> connectors;
  private final Optional<OldLog> old;

  /**
   * @param shape of the log to rebuild, needed where connectors of both stand side by side
   * @throws OperationException if a connector is missing
   */
  public LogRebuild(LogSources sources, RebuildRequest wish, Optional<LogShape> shape) {
    this(sources, wish, shape, LogDeletion::of);
  }

  /**
   * @param log finds what the connectors have written
   */
  LogRebuild(
      LogSources sources,
      RebuildRequest wish,
      Optional<LogShape> shape,
      BiFunction<DataCenter, List<SourceConnector>, OldLog> log) {
    this.sources = sources;
    this.wish = wish;
    this.connectors = sources.of(wish.targets(sources.site().topology()), shape);
    this.old =
        wish.deleteOld() ? Optional.of(log.apply(sources.site(), connectors)) : Optional.empty();
  }

  /** What is to be done as things stand. */
  public RebuildPlan plan() {
    var found = connectors.stream().map(sources::find).toList();
    var plan = RebuildPlan.of(wish, found);
    for (var begin : plan.begins()) {
      begin.request(offset(found, begin));
    }
    return plan;
  }

  /**
   * Records that the log, and the topics of columns beside it, hold and that {@code --delete-old}
   * deletes.
   */
  public long retained() throws InterruptedException {
    return old.orElseThrow().retained();
  }

  /**
   * Carries the plan out; returns when all connectors run again, or are about to.
   *
   * @param says called with what it does just now
   */
  public void start(RebuildPlan plan, Consumer<String> says) throws InterruptedException {
    Map<TopicPartition, Long> ends = Map.of();
    try {
      stop(plan, says);
      if (plan.deletes()) {
        // Before any rebuild is asked for: what is written from then on must stay, whoever lets
        // a connector run again, and what was written until now is written again.
        ends = ends();
      }
      for (var begin : plan.begins()) {
        var request = begin.request(sources.offset(begin.connector()));
        sources
            .connect()
            .alterOffsets(
                begin.connector().name(),
                StoredOffset.request(begin.connector().server(), request));
      }
      if (plan.deletes()) {
        requireStillStopped(plan);
      }
    } catch (OperationException e) {
      resumeAsBefore(plan, e);
      throw e;
    }
    if (plan.deletes()) {
      says.accept("deleting the records of " + plan.written(sources.site().topology().topics()));
      delete(ends);
    }
    for (var step : plan.steps()) {
      boolean runs =
          step instanceof RebuildStep.Leave || (step instanceof GoOn goOn && !goOn.revive());
      if (!runs) {
        sources.connect().resume(step.connector().name());
      }
    }
  }

  private void stop(RebuildPlan plan, Consumer<String> says) throws InterruptedException {
    var stopped =
        plan.steps().stream()
            .filter(step -> step instanceof Begin || (step instanceof GoOn g && g.revive()))
            .map(RebuildStep::connector)
            .toList();
    stopped.forEach(source -> sources.connect().stop(source.name()));
    for (var source : stopped) {
      says.accept("waiting until " + source.name() + " has stopped");
      if (!Waiting.within(STOP, POLL, () -> sources.state(source).isStopped())) {
        throw OperationException.unavailable(
            "%s has not stopped after %d s; see the log of its Connect worker"
                .formatted(source.name(), STOP.toSeconds()));
      }
    }
  }

  /** Nothing has been deleted, so whichever offsets they have, they may run. */
  private void resumeAsBefore(RebuildPlan plan, OperationException cause) {
    for (var begin : plan.begins()) {
      if (!begin.wasStopped()) {
        try {
          sources.connect().resume(begin.connector().name());
        } catch (OperationException e) {
          cause.addSuppressed(e);
        }
      }
    }
  }

  /** What one writes again that somebody else has resumed, as for the same rebuild, must stay. */
  private void requireStillStopped(RebuildPlan plan) {
    for (var begin : plan.begins()) {
      if (!sources.state(begin.connector()).isStopped()) {
        throw OperationException.refused(
            "%s runs again: somebody else has resumed it, perhaps for a rebuild as well. Nothing was deleted; look at `cellmesh log status`, and run this again if it is still wanted"
                .formatted(begin.connector().name()));
      }
    }
  }

  private Map<TopicPartition, Long> ends() throws InterruptedException {
    try {
      return old.orElseThrow().ends();
    } catch (KafkaException e) {
      throw OperationException.unavailable(e.getMessage() + "; nothing was deleted", e);
    }
  }

  private void delete(Map<TopicPartition, Long> ends) throws InterruptedException {
    try {
      old.orElseThrow().delete(ends);
    } catch (RuntimeException e) {
      throw OperationException.unavailable(
          "%s; the source connectors stay stopped until this is run again"
              .formatted(e.getMessage()),
          e);
    }
  }

  private static Optional<LogOffset> offset(List<Found> found, Begin begin) {
    return found.stream()
        .filter(f -> f.connector().equals(begin.connector()))
        .findFirst()
        .flatMap(Found::offset);
  }
}
