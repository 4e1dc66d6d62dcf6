package io.cellmesh.operations.strimzi;

import io.cellmesh.deployment.StrimziCluster;
import java.util.List;

/**
 * The commands that make Strimzi leave the connectors of a Connect cluster alone for a while.
 * Pausing a KafkaConnector keeps what is changed of it through Connect; pausing the KafkaConnect
 * keeps connectors that have no resource yet.
 *
 * @param cluster whose connectors they are
 */
public record Reconciliation(StrimziCluster cluster) {
  private static final String PAUSE = "strimzi.io/pause-reconciliation";

  /** What is to be run before a change. */
  public List<String> pause() {
    return List.of(
        annotate("--overwrite ", "kafkaconnect " + cluster.connect(), "=true"),
        annotate("--overwrite ", connectors(), "=true"));
  }

  /** What is to be run when the resources say the same as Connect again. */
  public List<String> goOn() {
    return List.of(
        annotate("", connectors(), "-"), annotate("", "kafkaconnect " + cluster.connect(), "-"));
  }

  /** What takes a connector's resource away once the connector itself is gone. */
  public String delete(String connector) {
    return "kubectl delete %skafkaconnector %s".formatted(namespace(), connector);
  }

  /** What applies the resources of a file. */
  public String apply(String file) {
    return "kubectl apply %s-f %s".formatted(namespace(), file);
  }

  private String connectors() {
    return "kafkaconnector -l %s=%s".formatted(Manifest.CLUSTER, cluster.connect());
  }

  private String annotate(String option, String what, String change) {
    return "kubectl annotate %s%s%s %s%s".formatted(namespace(), option, what, PAUSE, change);
  }

  private String namespace() {
    return cluster.namespace().map(name -> "-n " + name + " ").orElse("");
  }
}
