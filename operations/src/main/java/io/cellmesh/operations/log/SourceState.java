package io.cellmesh.operations.log;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
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

  /** Reads the answer to {@code GET /connectors/NAME/status}. */
  static SourceState of(JsonNode status) {
    var parts = new ArrayList<JsonNode>();
    parts.add(status.path("connector"));
    status.path("tasks").forEach(parts::add);
    for (var part : parts) {
      if (state(part).equals(FAILED)) {
        return new SourceState(FAILED, Optional.of(message(part.path("trace").asText())));
      }
    }
    return new SourceState(together(parts), Optional.empty());
  }

  private static String together(List<JsonNode> parts) {
    var connector = state(parts.get(0));
    if (connector.equals(STOPPED)) {
      // Its tasks end a little later, and only then may its offset be changed.
      return parts.size() == 1 ? STOPPED : "STOPPING";
    }
    if (!connector.equals(RUNNING)) {
      return connector;
    }
    return parts.size() == 1
        ? STARTING
        : parts.stream()
            .map(SourceState::state)
            .filter(s -> !s.equals(RUNNING))
            .findFirst()
            .orElse(RUNNING);
  }

  private static String state(JsonNode part) {
    return part.path("state").asText();
  }

  /** The message of a trace, without the class of the exception. */
  static String message(String trace) {
    var first = trace.lines().findFirst().orElse("").strip();
    var text = first.replaceFirst("^[\\w.$]+(Exception|Error): ", "");
    return text.isEmpty() ? "no reason given" : text;
  }
}
