package io.cellmesh.operations.log;

import io.cellmesh.connect.client.ConnectorStatus;
import java.util.Optional;

/**
 * How a source connector is.
 *
 * @param state {@code RUNNING}, {@code FAILED}, {@code STOPPED}, {@code PAUSED} or what else
 *     Connect says
 * @param failure what the part that failed says about it
 */
public record SourceState(String state, Optional<String> failure) {
  private static final String RUNNING = "RUNNING";
  private static final String FAILED = "FAILED";
  private static final String STOPPED = "STOPPED";
  private static final String PAUSED = "PAUSED";
  private static final String STARTING = "UNASSIGNED";

  public boolean isRunning() {
    return state.equals(RUNNING);
  }

  public boolean isStopped() {
    return state.equals(STOPPED);
  }

  /** Whether a person has halted it. */
  public boolean isHalted() {
    return isStopped() || state.equals(PAUSED);
  }

  /** What Connect says of it, put into one word. */
  static SourceState of(ConnectorStatus status) {
    return status
        .failed()
        .map(part -> new SourceState(FAILED, Optional.of(part.reason())))
        .orElseGet(() -> new SourceState(together(status), Optional.empty()));
  }

  private static String together(ConnectorStatus status) {
    var connector = status.connector().state();
    if (connector.equals(STOPPED)) {
      // Its tasks end a little later, and only then may its offset be changed.
      return status.tasks().isEmpty() ? STOPPED : "STOPPING";
    }
    if (!connector.equals(RUNNING)) {
      return connector;
    }
    return status.tasks().isEmpty()
        ? STARTING
        : status.tasks().stream()
            .map(ConnectorStatus.Part::state)
            .filter(state -> !state.equals(RUNNING))
            .findFirst()
            .orElse(RUNNING);
  }
}
