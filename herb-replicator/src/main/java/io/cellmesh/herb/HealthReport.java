package io.cellmesh.herb;

import io.cellmesh.health.Health;
import io.cellmesh.health.MetricPage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How all links of the process are.
 *
 * @param links by their peers
 */
record HealthReport(Map<String, LinkHealth> links) implements Health {
  static HealthReport of(List<PeerLink> links) {
    var health = new TreeMap<String, LinkHealth>();
    links.forEach(link -> health.put(link.peer(), link.health()));
    return new HealthReport(health);
  }

  /** Whether every link is at work, or stands still because somebody wants that. */
  @Override
  public boolean isGood() {
    return links.values().stream().allMatch(LinkHealth::isGood);
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
          if (!health.unlinked().isEmpty()) {
            fields.put("unlinked", health.unlinked());
          }
          byPeer.put(peer, fields);
        });
    var report = new LinkedHashMap<String, Object>();
    report.put("status", isGood() ? "ok" : "not ok");
    report.put("links", byPeer);
    return report;
  }

  @Override
  public MetricPage metrics() {
    var page = new MetricPage();
    links.forEach((peer, health) -> add(page, peer, health));
    return page;
  }

  private static void add(MetricPage page, String peer, LinkHealth health) {
    var counts = health.counts();
    page.add(LinkMetric.UP, health.isUp() ? 1 : 0, peer)
        .add(LinkMetric.HALTED, health.state() == LinkHealth.State.HALTED ? 1 : 0, peer)
        .add(LinkMetric.STATE, 1, peer, health.state().name())
        .add(LinkMetric.BEHIND, health.behind(), peer)
        .add(LinkMetric.TAKEN, counts.taken(), peer)
        .add(LinkMetric.STEPS_BACK, counts.stepsBack(), peer)
        .add(LinkMetric.SET_ASIDE, counts.setAside(), peer)
        .add(LinkMetric.RESTARTS, counts.restarts(), peer);
    health.lagMs().ifPresent(ms -> page.add(LinkMetric.LAG, ms / 1e3, peer));
    health
        .unlinked()
        .forEach((origin, count) -> page.add(LinkMetric.UNLINKED, count, peer, origin));
  }
}
