package io.cellmesh.operations.status;

import io.cellmesh.connect.client.Waiting;
import io.cellmesh.connect.client.Waiting.Look;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** Waits until nothing is on its way any more. */
public final class Quiescence {
  private static final Duration POLL = Duration.ofMillis(400);

  /** What a group has handled it commits within this time, in all settings that are shipped. */
  private static final Duration SETTLED = Duration.ofSeconds(12);

  /** A server that is busy, or restarted, may answer the next look. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Look<List<PipelineHop>, SQLException> pipeline;

  /**
   * @param pipeline every hop, as {@link Pipeline#hops} has them
   */
  public Quiescence(Look<List<PipelineHop>, SQLException> pipeline) {
    this.pipeline = pipeline;
  }

  /**
   * Returns as soon as no hop is behind, or when those that are have not moved for a while (a cell
   * that two data centres accepted is never counted as arrived), or when the time is up.
   *
   * @param progress called with the hops at every look
   * @return the hops that are still behind; empty if all is quiet
   * @throws SQLException if a server has answered no look for 10 s
   */
  public List<PipelineHop> await(Duration timeout, Consumer<List<PipelineHop>> progress)
      throws SQLException, InterruptedException {
    long begun = System.nanoTime();
    return Waiting.whileItMoves(
        SETTLED,
        POLL,
        () -> {
          var hops = patiently();
          progress.accept(hops);
          return hops.stream().filter(hop -> hop.behind() > 0).toList();
        },
        // The hops are looked at one after the other, so a cell can pass between two looks unseen;
        // not twice.
        (behind, moved) ->
            behind.isEmpty() && !moved || System.nanoTime() - begun > timeout.toNanos());
  }

  private List<PipelineHop> patiently() throws SQLException, InterruptedException {
    var failure = new AtomicReference<SQLException>();
    var hops =
        Waiting.<List<PipelineHop>, RuntimeException>find(
            PATIENCE,
            POLL,
            () -> {
              try {
                return Optional.of(pipeline.now());
              } catch (SQLException e) {
                failure.set(e);
                return Optional.empty();
              }
            });
    return hops.orElseThrow(failure::get);
  }
}
