package io.cellmesh.operations.strimzi;

import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.StrimziCluster;
import java.util.List;

/** What makes the workers show our metrics, and Prometheus's operator ask for them. */
public final class MonitoringManifests {
  /** The key of the rules in the ConfigMap. */
  static final String KEY = "jmx-exporter.yaml";

  private MonitoringManifests() {}

  static String configMap(StrimziCluster cluster) {
    return cluster.connect() + "-metrics";
  }

  /**
   * The ConfigMap that {@link ConnectManifest} names, and a PodMonitor.
   *
   * @param rules of the JMX exporter
   */
  public static List<Manifest> of(DataCenter dc, StrimziCluster cluster, String rules) {
    var config = Manifest.of("v1", "ConfigMap", configMap(cluster), cluster);
    config.json().putObject("data").put(KEY, rules);
    var monitor = Manifest.of("monitoring.coreos.com/v1", "PodMonitor", cluster.connect(), cluster);
    var spec = monitor.spec();
    spec.withObject("/selector/matchLabels")
        .put("strimzi.io/kind", "KafkaConnect")
        .put(Manifest.CLUSTER, cluster.connect());
    var relabelings =
        spec.putArray("podMetricsEndpoints")
            .addObject()
            .put("port", "tcp-prometheus")
            .put("path", "/metrics")
            .putArray("relabelings");
    // What alerts know workers by, which is the monitor's name else.
    relabelings.addObject().put("targetLabel", "job").put("replacement", "cellmesh-connect");
    // Connectors have the same names in every data centre.
    relabelings.addObject().put("targetLabel", "dc").put("replacement", dc.name());
    return List.of(config, monitor);
  }
}
