package io.cellmesh.herb;

import io.cellmesh.health.Health;
import io.cellmesh.health.MetricPage;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How all links of an instance are, and its proof.
 *
 * @param fault why they are not as the instance's files say now; empty if they are
 * @param links by their peers
 * @param proof empty where nothing runs
 */
record HealthReport(
    String instance, String fault, Map<String, LinkHealth> links, Optional<ProofReport> proof)
    implements Health {

  /** Whether every link is at work, or stands still because somebody wants that. */
  @Override
  public boolean isGood() {
    return fault.isEmpty() && links.values().stream().allMatch(LinkHealth::isGood);
  }

  @Override
  public Map<String, Object> fields() {
    var byPeer = new TreeMap<String, Object>();
    links.forEach(
        (peer, health) -> {
          var fields = new LinkedHashMap<String, Object>();
          fields.put("state", health.state());
          if (!health.why().isEmpty()) {
            fields.put("why", health.why());
          }
          fields.put("behind", health.behind());
          fields.put("restarts", health.counts().restarts());
          fields.put("set_aside", health.counts().setAside());
          fields.put("steps_back", health.counts().stepsBack());
          fields.put("taken", health.counts().taken());
          if (health.window().full() > 0) {
            fields.put("full", health.window().full());
          }
          health.pace().ifPresent(pace -> fields.put("pace", Math.round(pace)));
          if (!health.unlinked().isEmpty()) {
            fields.put("unlinked", health.unlinked());
          }
          byPeer.put(peer, fields);
        });
    var report = new LinkedHashMap<String, Object>();
    report.put("status", isGood() ? "ok" : "not ok");
    if (!fault.isEmpty()) {
      report.put("why", fault);
    }
    report.put("links", byPeer);
    proof.ifPresent(known -> report.put("proof", known.fields()));
    return report;
  }

  @Override
  public MetricPage metrics() {
    var page = new MetricPage();
    addTo(page);
    return page;
  }

  @Override
  public Optional<Health> ofInstance(String name) {
    return name.equals(instance) ? Optional.of(this) : Optional.empty();
  }

  /** Adds the figures of each link, and of the proof. */
  void addTo(MetricPage page) {
    links.forEach((peer, health) -> add(page, peer, health));
    proof.ifPresent(known -> known.addTo(page, instance));
  }

  private void add(MetricPage page, String peer, LinkHealth health) {
    var counts = health.counts();
    page.add(LinkMetric.UP, health.isUp() ? 1 : 0, instance, peer)
        .add(LinkMetric.HALTED, health.state() == LinkHealth.State.HALTED ? 1 : 0, instance, peer)
        .add(LinkMetric.STATE, 1, instance, peer, health.state().name())
        .add(LinkMetric.BEHIND, health.behind(), instance, peer)
        .add(LinkMetric.FULL, health.window().full(), instance, peer)
        .add(LinkMetric.SINK_WAIT, health.window().stalled().toMillis() / 1e3, instance, peer)
        .add(LinkMetric.PACE, health.pace().orElse(0), instance, peer)
        .add(LinkMetric.TAKEN, counts.taken(), instance, peer)
        .add(LinkMetric.STEPS_BACK, counts.stepsBack(), instance, peer)
        .add(LinkMetric.SET_ASIDE, counts.setAside(), instance, peer)
        .add(LinkMetric.RESTARTS, counts.restarts(), instance, peer);
    health.lagMs().ifPresent(ms -> page.add(LinkMetric.LAG, ms / 1e3, instance, peer));
    health
        .unlinked()
        .forEach((origin, count) -> page.add(LinkMetric.UNLINKED, count, instance, peer, origin));
  }
}
