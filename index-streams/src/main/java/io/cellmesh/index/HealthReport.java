package io.cellmesh.index;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cellmesh.index.TopicCheck.HaltedException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How all passes of the process are.
 *
 * @param unread why it is not known whether there are more
 * @param passes those that run
 * @param refused why the others don't
 */
record HealthReport(
    Optional<String> unread, Map<String, PassHealth> passes, Map<String, Refusal> refused) {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String HALTED = "HALTED";

  /**
   * Why a pass does not run.
   *
   * @param state HALTED if it ran and a person has to decide how it goes on, else REFUSED
   */
  record Refusal(String state, String reason) {
    static Refusal of(Exception refusal) {
      var state = refusal instanceof HaltedException ? HALTED : "REFUSED";
      return new Refusal(state, refusal.getMessage());
    }
  }

  static HealthReport of(Passes passes) {
    var health = new TreeMap<String, PassHealth>();
    passes.running().forEach((name, pass) -> health.put(name, pass.health()));
    var refused = new TreeMap<String, Refusal>();
    passes.refused().forEach((name, refusal) -> refused.put(name, Refusal.of(refusal)));
    return new HealthReport(passes.unread(), health, refused);
  }

  /** Whether every pass is at work, and none is missing as far as is known. */
  boolean isGood() {
    return unread.isEmpty()
        && refused.isEmpty()
        && passes.values().stream().allMatch(PassHealth::isGood);
  }

  /** One JSON object. */
  String toJson() {
    var byPass = new TreeMap<String, Object>();
    passes.forEach((name, health) -> byPass.put(name, fields(health)));
    refused.forEach(
        (name, refusal) ->
            byPass.put(name, Map.of("state", refusal.state(), "why", refusal.reason())));
    var report = new LinkedHashMap<String, Object>();
    report.put("status", isGood() ? "ok" : "not ok");
    unread.ifPresent(why -> report.put("why", why));
    report.put("passes", byPass);
    try {
      return MAPPER.writeValueAsString(report);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The same for who scrapes metrics: a line a number, in Prometheus's text format. */
  String toMetrics() {
    var lines = new StringBuilder();
    passes.forEach(
        (name, health) -> {
          line(lines, "up", name, health.isGood() ? 1 : 0);
          line(lines, "halted", name, 0);
          fields(health)
              .forEach(
                  (field, value) -> {
                    if (value instanceof Number number) {
                      line(lines, field, name, number.longValue());
                    }
                  });
        });
    refused.forEach(
        (name, refusal) -> {
          line(lines, "up", name, 0);
          line(lines, "halted", name, refusal.state().equals(HALTED) ? 1 : 0);
        });
    return lines.toString();
  }

  private static void line(StringBuilder lines, String metric, String pass, long value) {
    lines
        .append("cellmesh_index_")
        .append(metric)
        .append("{pass=\"")
        .append(pass)
        .append("\"} ")
        .append(value)
        .append('\n');
  }

  private static Map<String, Object> fields(PassHealth health) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("state", health.state());
    fields.put("threads", health.threads());
    fields.put("behind", health.behind());
    fields.put("lag_ms", health.lagMs().isPresent() ? health.lagMs().getAsLong() : null);
    fields.put("restoring", health.restoring());
    fields.put("records_to_restore", health.recordsToRestore());
    fields.put("unindexed", health.unindexed());
    fields.put("deaths", health.deaths());
    if (!health.lastDeath().isEmpty()) {
      fields.put("last_death", health.lastDeath());
    }
    return fields;
  }
}
