package io.cellmesh.index;

import io.cellmesh.health.Health;
import io.cellmesh.health.MetricPage;
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
    Optional<String> unread, Map<String, PassHealth> passes, Map<String, Refusal> refused)
    implements Health {
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
  @Override
  public boolean isGood() {
    return unread.isEmpty()
        && refused.isEmpty()
        && passes.values().stream().allMatch(PassHealth::isGood);
  }

  @Override
  public Map<String, Object> fields() {
    var byPass = new TreeMap<String, Object>();
    passes.forEach((name, health) -> byPass.put(name, fields(health)));
    refused.forEach(
        (name, refusal) ->
            byPass.put(name, Map.of("state", refusal.state(), "why", refusal.reason())));
    var report = new LinkedHashMap<String, Object>();
    report.put("status", isGood() ? "ok" : "not ok");
    unread.ifPresent(why -> report.put("why", why));
    report.put("passes", byPass);
    return report;
  }

  @Override
  public MetricPage metrics() {
    var page = new MetricPage().add(PassMetric.KNOWN, unread.isEmpty() ? 1 : 0);
    passes.forEach((name, health) -> add(page, name, health));
    refused.forEach(
        (name, refusal) ->
            page.add(PassMetric.UP, 0, name)
                .add(PassMetric.HALTED, refusal.state().equals(HALTED) ? 1 : 0, name)
                .add(PassMetric.STATE, 1, name, refusal.state()));
    return page;
  }

  private static void add(MetricPage page, String name, PassHealth health) {
    page.add(PassMetric.UP, health.isGood() ? 1 : 0, name)
        .add(PassMetric.HALTED, 0, name)
        .add(PassMetric.STATE, 1, name, health.state())
        .add(PassMetric.THREADS, health.threads(), name)
        .add(PassMetric.BEHIND, health.behind(), name)
        .add(PassMetric.RESTORING, health.restoring(), name)
        .add(PassMetric.TO_RESTORE, health.recordsToRestore(), name)
        .add(PassMetric.UNINDEXED, health.unindexed(), name)
        .add(PassMetric.DEATHS, health.deaths(), name);
    health.lagMs().ifPresent(ms -> page.add(PassMetric.LAG, ms / 1e3, name));
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
