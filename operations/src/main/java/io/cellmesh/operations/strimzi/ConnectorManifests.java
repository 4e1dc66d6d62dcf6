package io.cellmesh.operations.strimzi;

import io.cellmesh.connect.client.ConnectorTemplate.Connector;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.StrimziCluster;
import io.cellmesh.operations.ConnectClients;
import io.cellmesh.operations.OperationException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A KafkaConnector for each connector. */
public final class ConnectorManifests {
  private static final String CLASS = "connector.class";
  private static final String TASKS = "tasks.max";
  private static final String OURS = "io.cellmesh.connect.";

  private ConnectorManifests() {}

  /** The resource that makes the operator post a connector. */
  public static Manifest of(StrimziCluster cluster, Connector connector) {
    return of(cluster, connector.name(), connector.config());
  }

  /**
   * The resources of an instance's connectors as Connect has them now, whoever told it so.
   *
   * @throws io.cellmesh.connect.client.ConnectClientException if it does not answer
   */
  public static List<Manifest> current(DataCenter dc, StrimziCluster cluster) {
    var connect = ConnectClients.of(dc);
    var manifests = new ArrayList<Manifest>();
    for (var name : connect.connectors().stream().sorted().toList()) {
      if (name.startsWith(dc.topology().instance() + "-")) {
        var config = connect.config(name);
        if (config.getOrDefault(CLASS, "").startsWith(OURS)) {
          manifests.add(of(cluster, name, config));
        }
      }
    }
    return manifests;
  }

  private static Manifest of(StrimziCluster cluster, String name, Map<String, String> config) {
    var manifest =
        Manifest.of(Manifest.STRIMZI, "KafkaConnector", name, cluster)
            .labelled(Manifest.CLUSTER, cluster.connect());
    // What the resource says elsewhere, the operator refuses among the settings.
    var rest = new TreeMap<>(config);
    rest.remove("name");
    var spec = manifest.spec();
    spec.put("class", rest.remove(CLASS));
    spec.put("tasksMax", tasks(name, rest.remove(TASKS)));
    var settings = spec.putObject("config");
    rest.forEach(settings::put);
    return manifest;
  }

  private static int tasks(String name, String value) {
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw OperationException.invalid(
          "connector %s: tasks.max: \"%s\" is not a number".formatted(name, value));
    }
  }
}
