package io.cellmesh.herb;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How all links of the process are.
 *
 * @param links by their peers
 */
record HealthReport(Map<String, LinkHealth> links) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  static HealthReport of(List<PeerLink> links) {
    var health = new TreeMap<String, LinkHealth>();
    links.forEach(link -> health.put(link.peer(), link.health()));
    return new HealthReport(health);
  }

  /** Whether every link is at work. */
  boolean isGood() {
    return links.values().stream().allMatch(LinkHealth::isGood);
  }

  /** One JSON object. */
  String toJson() {
    var byPeer = new TreeMap<String, Object>();
    links.forEach(
        (peer, health) -> {
          var fields = new LinkedHashMap<String, Object>();
          fields.put("state", health.state());
          if (!health.why().isEmpty()) {
            fields.put("why", health.why());
          }
          fields.put("behind", health.behind());
          fields.putAll(health.counts());
          if (!health.unlinked().isEmpty()) {
            fields.put("unlinked", health.unlinked());
          }
          byPeer.put(peer, fields);
        });
    var report = new LinkedHashMap<String, Object>();
    report.put("status", isGood() ? "ok" : "not ok");
    report.put("links", byPeer);
    try {
      return MAPPER.writeValueAsString(report);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The same for who scrapes metrics: a line a number, in Prometheus's text format. */
  String toMetrics() {
    var lines = new StringBuilder();
    links.forEach(
        (peer, health) -> {
          line(lines, "up", peer, health.isGood() ? 1 : 0);
          line(lines, "halted", peer, health.state() == LinkHealth.State.HALTED ? 1 : 0);
          line(lines, "behind", peer, health.behind());
          health.counts().forEach((name, count) -> line(lines, name, peer, count));
          line(
              lines,
              "unlinked",
              peer,
              health.unlinked().values().stream().mapToLong(Long::longValue).sum());
        });
    return lines.toString();
  }

  private static void line(StringBuilder lines, String metric, String peer, long value) {
    lines
        .append("cellmesh_mesh_")
        .append(metric)
        .append("{peer=\"")
        .append(peer)
        .append("\"} ")
        .append(value)
        .append('\n');
  }
}
