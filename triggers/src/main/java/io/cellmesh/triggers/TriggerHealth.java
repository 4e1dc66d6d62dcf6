package io.cellmesh.triggers;

import io.cellmesh.health.Health;
import io.cellmesh.health.MetricPage;
import io.cellmesh.triggers.TriggerState.Phase;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * How a trigger's process is.
 *
 * @param trigger its name
 */
public record TriggerHealth(String trigger, TriggerState state) implements Health {
  /** A trigger that is paused is at work as far as anybody wants it to be. */
  private static final Set<Phase> GOOD = Set.of(Phase.RUNNING, Phase.PAUSED);

  /** In the others it is not known how much was done, and no figure is better than 0. */
  private static final Set<Phase> COUNTED = Set.of(Phase.RUNNING, Phase.PAUSED, Phase.HALTED);

  /** Says that a trigger has not begun yet. */
  public static TriggerHealth starting(String trigger) {
    return new TriggerHealth(trigger, TriggerState.STARTING);
  }

  /** Whether it calls back, or would if cells came or nobody had paused it. */
  @Override
  public boolean isGood() {
    return GOOD.contains(state.phase());
  }

  @Override
  public Map<String, Object> fields() {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("status", isGood() ? "ok" : "not ok");
    fields.put("trigger", trigger);
    fields.put("state", state.phase().name());
    if (!state.why().isEmpty()) {
      fields.put("why", state.why());
    }
    if (COUNTED.contains(state.phase())) {
      fields.put("partitions", state.partitions());
      if (!state.halted().isEmpty()) {
        fields.put("halted", new TreeMap<>(state.halted()));
      }
      fields.put("parked_rows", state.parkedRows());
      fields.put("behind", state.behind());
      fields.put("called", state.called());
      fields.put("failed", state.failed());
      fields.put("parked", state.parked());
      fields.put("replayed", state.replayed());
    }
    return fields;
  }

  @Override
  public MetricPage metrics() {
    var page =
        new MetricPage()
            .add(TriggerMetric.UP, isGood() ? 1 : 0, trigger)
            .add(TriggerMetric.HALTED, state.phase() == Phase.HALTED ? 1 : 0, trigger)
            .add(TriggerMetric.STATE, 1, trigger, state.phase().name());
    if (COUNTED.contains(state.phase())) {
      page.add(TriggerMetric.PARTITIONS, state.partitions(), trigger)
          .add(TriggerMetric.PARTITIONS_HALTED, state.halted().size(), trigger)
          .add(TriggerMetric.PARKED_ROWS, state.parkedRows(), trigger)
          .add(TriggerMetric.BEHIND, state.behind(), trigger)
          .add(TriggerMetric.CALLED, state.called(), trigger)
          .add(TriggerMetric.FAILED, state.failed(), trigger)
          .add(TriggerMetric.PARKED, state.parked(), trigger)
          .add(TriggerMetric.REPLAYED, state.replayed(), trigger);
    }
    return page;
  }
}
