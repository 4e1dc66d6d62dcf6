package io.cellmesh.connect.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The state of a connector and of its tasks.
 *
 * @param connector the part that hands out tasks
 */
public record ConnectorStatus(Part connector, List<Part> tasks) {
  private static final int TRACE_LINES = 6;

  public ConnectorStatus {
    tasks = List.copyOf(tasks);
  }

  /**
   * @param state {@code RUNNING}, {@code FAILED}, {@code PAUSED}, {@code STOPPED}, {@code
   *     UNASSIGNED} or {@code RESTARTING}
   * @param trace empty unless it has failed
   */
  public record Part(String state, String worker, String trace) {
    private static final String WRAPPER = "Exiting Worker";
    private static final String CAUSE = "Caused by: ";
    private static final String REPLACED = "has already generated a new set of task configs";

    boolean hasFailed() {
      return state.equals("FAILED");
    }

    /**
     * Whether it failed only since its connector had made new configurations of its tasks before
     * this one had begun, as exactly-once sources do on busy workers. Connect starts those next.
     */
    boolean isReplaced() {
      return hasFailed() && trace.contains(REPLACED);
    }

    /**
     * What its trace says to a person: the message of its first line, or that of the cause where
     * the first line only says that the task has ended.
     */
    public String reason() {
      var first = trace.lines().findFirst().orElse("").strip();
      if (first.contains(WRAPPER)) {
        first =
            trace
                .lines()
                .filter(line -> line.startsWith(CAUSE))
                .findFirst()
                .map(line -> line.substring(CAUSE.length()))
                .orElse(first);
      }
      var reason = first.replaceFirst("^[\\w.$]+(?:Exception|Error): ", "");
      return reason.isEmpty() ? "no reason given" : reason;
    }

    static Part of(JsonNode json) {
      return new Part(
          json.path("state").asText(),
          json.path("worker_id").asText(),
          json.path("trace").asText());
    }
  }

  /** Reads the answer to {@code GET /connectors/NAME/status}. */
  public static ConnectorStatus of(JsonNode json) {
    var tasks = new ArrayList<Part>();
    json.path("tasks").forEach(task -> tasks.add(Part.of(task)));
    return new ConnectorStatus(Part.of(json.path("connector")), tasks);
  }

  /** Whether the connector and all of its tasks run, and there is at least one. */
  public boolean isRunning() {
    return !tasks.isEmpty() && parts().allMatch(part -> part.state().equals("RUNNING"));
  }

  /** The first lines of the trace of the first part that failed. */
  public Optional<String> failure() {
    return failed().map(ConnectorStatus::beginning);
  }

  /** The same, of parts that will not be started again by themselves. */
  Optional<String> finalFailure() {
    return parts()
        .filter(part -> part.hasFailed() && !part.isReplaced())
        .findFirst()
        .map(ConnectorStatus::beginning);
  }

  private static String beginning(Part part) {
    return part.trace().lines().limit(TRACE_LINES).collect(Collectors.joining("\n"));
  }

  @Override
  public String toString() {
    return "connector %s, tasks %s"
        .formatted(connector.state(), tasks.stream().map(Part::state).toList());
  }

  /** The first part that has failed. */
  public Optional<Part> failed() {
    return parts().filter(Part::hasFailed).findFirst();
  }

  private Stream<Part> parts() {
    return Stream.concat(Stream.of(connector), tasks.stream());
  }
}
