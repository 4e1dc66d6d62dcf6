package io.cellmesh.operations.connectors;

import io.cellmesh.cell.MySqlTls;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.connect.client.ConnectorTemplate;
import io.cellmesh.connect.client.ConnectorTemplate.Connector;
import io.cellmesh.deployment.ConnectorAccess;
import io.cellmesh.storage.grants.Role;
import io.cellmesh.topics.LogShape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The connectors of an instance in one data centre: each template once, once a storage cluster, or
 * once an index, as its placeholders ask for.
 */
public final class InstanceConnectors {
  private static final String CLUSTER = "cluster";
  private static final String INDEXES = "indexes";

  /** What a worker opens for a connector, by the names that Connect has for them. */
  private static final List<String> CLIENTS = List.of("consumer", "producer", "admin");

  private final Topology topology;
  private final ConnectorAccess access;
  private final String pass;
  private final List<IndexDefinition> indexes;
  private final LogShape shape;

  /** Without indexes, and with one log topic for all shards. */
  public InstanceConnectors(Topology topology, ConnectorAccess access) {
    this(topology, access, "", List.of(), LogShape.PARTITION);
  }

  /**
   * @param pass what the indexes are kept together as
   * @param shape of the log that the sources write
   */
  public InstanceConnectors(
      Topology topology,
      ConnectorAccess access,
      String pass,
      List<IndexDefinition> indexes,
      LogShape shape) {
    this.topology = topology;
    this.access = access;
    this.pass = pass;
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
          .map(c -> render(template, Role.SOURCE, Map.of(CLUSTER, c.name())))
          .toList();
    }
    if (template.uses(INDEXES)) {
      return indexes.isEmpty()
          ? List.of()
          : List.of(
              render(
                  template,
                  Role.INDEX,
                  Map.of(
                      "pass",
                      pass,
                      INDEXES,
                      IndexDefinition.toYaml(indexes),
                      "index.topics",
                      topics())));
    }
    return List.of(render(template, Role.SINK, Map.of()));
  }

  private String topics() {
    return indexes.stream()
        .map(index -> topology.topics().index(index.label()))
        .collect(Collectors.joining(","));
  }

  private Connector render(ConnectorTemplate template, Role role, Map<String, String> more) {
    var rendered = protectedBy(access.tls(), template.render(values(role, more)));
    return withSettings(withKafka(rendered, role), role);
  }

  /** The default need not be said among servers of this machine. */
  private Connector protectedBy(MySqlTls tls, Connector connector) {
    if (tls.equals(MySqlTls.DEFAULT) && topology.offLoopback().isEmpty()) {
      return connector;
    }
    var changed = connector.with("mysql.ssl.mode", tls.mode().name());
    return tls.trustStore()
        .map(
            file ->
                changed
                    .with("mysql.ssl.truststore.location", file.toString())
                    .with("mysql.ssl.truststore.password", tls.trustStorePassword()))
        .orElse(changed);
  }

  /** Of the clients that a connector opens itself, and those that the worker opens for it. */
  private Connector withKafka(Connector connector, Role role) {
    var changed = connector;
    boolean opensClients = connector.config().containsKey("kafka.bootstrap.servers");
    for (var setting : access.kafka(role.text()).entrySet()) {
      if (opensClients) {
        changed = changed.with("kafka." + setting.getKey(), setting.getValue());
      }
      for (var client : CLIENTS) {
        changed = changed.with(client + ".override." + setting.getKey(), setting.getValue());
      }
    }
    return changed;
  }

  private Connector withSettings(Connector connector, Role role) {
    var changed = connector;
    for (var setting : access.settings(role.text()).entrySet()) {
      changed = changed.with(setting.getKey(), setting.getValue());
    }
    return changed;
  }

  /** The default need not be said. */
  private Connector shaped(Connector connector) {
    return connector.isSource() && shape != LogShape.PARTITION
        ? connector.with(LogShape.SETTING, shape.value())
        : connector;
  }

  private Map<String, String> values(Role role, Map<String, String> more) {
    var values = new HashMap<>(more);
    values.put("topology", TopologyYaml.write(topology));
    values.put("instance", topology.instance());
    values.put("partitions", Integer.toString(topology.shards().partitions()));
    values.put("datacenter", topology.datacenter());
    values.put("kafka.bootstrap.servers", access.bootstrap());
    var mysql = access.mysql(role.text());
    values.put("mysql.user", mysql.user());
    values.put("mysql.password", mysql.password());
    return values;
  }
}
