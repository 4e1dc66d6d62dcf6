package io.cellmesh.cli.connectors;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.cli.deployment.IndexFile;
import io.cellmesh.cli.kafka.LogShape;
import io.cellmesh.devstack.shipped.ConnectorTemplate;
import io.cellmesh.devstack.shipped.ConnectorTemplate.Connector;
import io.cellmesh.storage.Credentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The connectors of an instance in one data centre: each template once, once a storage cluster, or
 * once an index, as its placeholders ask for.
 */
public final class InstanceConnectors {
  private static final String CLUSTER = "cluster";
  private static final String INDEX = "index";

  private final Topology topology;
  private final String bootstrap;
  private final Credentials credentials;
  private final List<IndexFile> indexes;
  private final LogShape shape;

  /** With one log topic for all shards. */
  public InstanceConnectors(
      Topology topology, String bootstrap, Credentials credentials, List<IndexFile> indexes) {
    this(topology, bootstrap, credentials, indexes, LogShape.PARTITION);
  }

  /**
   * @param bootstrap Kafka, as the Connect worker reaches it
   * @param shape of the log that the sources write
   */
  public InstanceConnectors(
      Topology topology,
      String bootstrap,
      Credentials credentials,
      List<IndexFile> indexes,
      LogShape shape) {
    this.topology = topology;
    this.bootstrap = bootstrap;
    this.credentials = credentials;
    this.indexes = List.copyOf(indexes);
    this.shape = shape;
  }

  /** The connectors of all templates in a directory, in the order of the files' names. */
  public List<Connector> render(Path directory) throws IOException {
    List<Path> files;
    try (var listed = Files.list(directory)) {
      files = listed.filter(f -> f.toString().endsWith(".json")).sorted().toList();
    }
    var connectors = new ArrayList<Connector>();
    for (var file : files) {
      for (var connector : render(ConnectorTemplate.read(file))) {
        connectors.add(shaped(connector));
      }
    }
    return connectors;
  }

  List<Connector> render(ConnectorTemplate template) {
    if (template.uses(CLUSTER)) {
      return topology.clusters().stream()
          .map(c -> template.render(values(Map.of(CLUSTER, c.name()))))
          .toList();
    }
    if (template.uses(INDEX)) {
      return indexes.stream()
          .map(i -> template.render(values(Map.of(INDEX, i.yaml(), "index.name", i.label()))))
          .toList();
    }
    return List.of(template.render(values(Map.of())));
  }

  /** The default need not be said. */
  private Connector shaped(Connector connector) {
    return connector.isSource() && shape != LogShape.PARTITION
        ? connector.with(LogShape.SETTING, shape.value())
        : connector;
  }

  private Map<String, String> values(Map<String, String> more) {
    var values = new HashMap<>(more);
    values.put("topology", TopologyYaml.write(topology));
    values.put("instance", topology.instance());
    values.put("partitions", Integer.toString(topology.shards().partitions()));
    values.put("datacenter", topology.datacenter());
    values.put("kafka.bootstrap.servers", bootstrap);
    values.put("mysql.user", credentials.user());
    values.put("mysql.password", credentials.password());
    return values;
  }
}
