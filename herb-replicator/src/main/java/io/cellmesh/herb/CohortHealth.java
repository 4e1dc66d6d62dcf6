package io.cellmesh.herb;

import io.cellmesh.health.Health;
import io.cellmesh.health.MetricPage;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How all instances of the process are.
 *
 * @param fault why the list of the instances can't be used as it is now; empty if it can
 * @param instances by their names
 */
record CohortHealth(String fault, Map<String, HealthReport> instances) implements Health {

  /** Whether every link is at work, and they are those that the files ask for. */
  @Override
  public boolean isGood() {
    return fault.isEmpty() && instances.values().stream().allMatch(HealthReport::isGood);
  }

  @Override
  public Map<String, Object> fields() {
    var byName = new TreeMap<String, Object>();
    instances.forEach((name, report) -> byName.put(name, report.fields()));
    var fields = new LinkedHashMap<String, Object>();
    fields.put("status", isGood() ? "ok" : "not ok");
    if (!fault.isEmpty()) {
      fields.put("why", fault);
    }
    fields.put("instances", byName);
    return fields;
  }

  @Override
  public MetricPage metrics() {
    boolean inForce =
        fault.isEmpty() && instances.values().stream().allMatch(one -> one.fault().isEmpty());
    var page = new MetricPage().add(LinkMetric.FILES_IN_FORCE, inForce ? 1 : 0);
    instances.values().forEach(report -> report.addTo(page));
    return page;
  }

  @Override
  public Optional<Health> ofInstance(String name) {
    return Optional.ofNullable(instances.get(name));
  }
}
