package io.cellmesh.operations.log;

import io.cellmesh.cell.ShardSet;
import io.cellmesh.connect.client.Waiting;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.log.RebuildStep.Begin;
import io.cellmesh.operations.log.RebuildStep.GoOn;
import io.cellmesh.storage.EntityCounts;
import io.cellmesh.storage.MySqlOptions;
import io.cellmesh.storage.Pools;
import io.cellmesh.topics.Consumers;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;

/** Looks on while clusters are rebuilt. */
public final class RebuildMonitor implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(500);

  /** A connector that was resumed says STOPPED a little longer, and so does one in a rebalance. */
  private static final Duration HALTED = Duration.ofSeconds(30);

  /** A worker that restarts is no reason to look away. */
  private static final Duration UNREACHABLE = Duration.ofSeconds(120);

  private static final MySqlOptions PATIENT =
      new MySqlOptions(
          Duration.ofSeconds(5),
          Duration.ofMinutes(5),
          Duration.ofSeconds(5),
          Duration.ofMinutes(5),
          2);

  private final LogSources sources;
  private final Optional<Consumer<byte[], byte[]>> kafka;
  private final List<Watched> watched = new ArrayList<>();
  private boolean exact = true;
  private long answered;

  /** One cluster. */
  private static final class Watched {
    final SourceConnector source;
    final ShardSet shards;
    final RebuildProgress progress;
    long haltedSince;
    long rows;
    long logEnds;

    Watched(SourceConnector source, ShardSet shards, RebuildProgress progress) {
      this.source = source;
      this.shards = shards;
      this.progress = progress;
    }
  }

  /** Counts what is to be done; without MySQL, a shard counts as one. */
  public RebuildMonitor(LogSources sources, RebuildPlan plan) {
    this.sources = sources;
    this.kafka =
        sources.site().knowsKafka()
            ? Optional.of(Consumers.open(sources.site().kafka()))
            : Optional.empty();
    try (var pools = new Pools(sources.site().operator(), PATIENT)) {
      for (var step : plan.steps()) {
        if (step instanceof Begin begin) {
          add(begin.connector(), begin.shards(), pools);
        } else if (step instanceof GoOn goOn) {
          var one = add(goOn.connector(), goOn.remaining(), pools);
          one.rows = one.progress.look(sources.offset(one.source), logEnds(one));
        }
      }
    }
  }

  /** Rows to read altogether. */
  public long total() {
    return watched.stream().mapToLong(w -> w.progress.total()).sum();
  }

  /** Rows that were done when the watch began: of a rebuild in progress. */
  public long before() {
    return watched.stream().mapToLong(w -> w.rows).sum();
  }

  /** Whether {@link #total} was counted rather than estimated. */
  public boolean isExact() {
    return exact;
  }

  /**
   * Returns when every rebuild is done.
   *
   * @param progress called with the rows done
   * @throws OperationException if a task fails, with its message, or somebody stops a connector
   */
  public void await(LongConsumer progress) throws InterruptedException {
    answered = System.nanoTime();
    Waiting.until(
        POLL,
        () -> {
          look();
          progress.accept(watched.stream().mapToLong(w -> w.rows).sum());
          return watched.stream().allMatch(w -> w.progress.isFinished());
        });
  }

  @Override
  public void close() {
    kafka.ifPresent(Consumer::close);
  }

  private void look() {
    try {
      watched.forEach(this::look);
      answered = System.nanoTime();
    } catch (OperationException e) {
      boolean passing = e.kind() == OperationException.Kind.UNAVAILABLE && !Thread.interrupted();
      if (!passing || System.nanoTime() - answered > UNREACHABLE.toNanos()) {
        throw e;
      }
    }
  }

  private void look(Watched one) {
    if (one.progress.isFinished()) {
      return;
    }
    var state = sources.state(one.source);
    state
        .failure()
        .ifPresent(
            message -> {
              throw OperationException.failed(
                  "%s has failed: %s%nOnce its cause is gone, the same command goes on where it is; with --restart the rebuild begins again"
                      .formatted(one.source.name(), message));
            });
    one.haltedSince =
        !state.isHalted() ? 0 : one.haltedSince == 0 ? System.nanoTime() : one.haltedSince;
    if (state.isHalted() && System.nanoTime() - one.haltedSince > HALTED.toNanos()) {
      throw OperationException.failed(
          "%s is %s: somebody has halted it; the same command lets the rebuild go on"
              .formatted(one.source.name(), state.state()));
    }
    one.rows = one.progress.look(sources.offset(one.source), logEnds(one));
  }

  /** As last seen while Kafka can't be asked: progress then comes from the offsets alone. */
  private long logEnds(Watched one) {
    if (kafka.isPresent()) {
      var partitions = one.source.shape().of(sources.site().topology(), one.shards.stream());
      try {
        one.logEnds =
            kafka.get().endOffsets(partitions).values().stream().mapToLong(Long::longValue).sum();
      } catch (KafkaException e) {
        return one.logEnds;
      }
    }
    return one.logEnds;
  }

  private Watched add(SourceConnector source, ShardSet shards, Pools pools) {
    EntityCounts rows;
    try {
      rows = EntityCounts.of(pools, sources.site().topology(), source.cluster());
    } catch (SQLException e) {
      rows = EntityCounts.unknown(source.cluster());
    }
    exact &= rows.exact();
    var one = new Watched(source, shards, new RebuildProgress(rows, shards));
    watched.add(one);
    return one;
  }
}
