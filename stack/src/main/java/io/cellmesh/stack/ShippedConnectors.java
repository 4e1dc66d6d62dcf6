package io.cellmesh.stack;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.deployment.ConnectorAccess;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.connectors.InstanceConnectors;
import io.cellmesh.topics.LogShape;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** The files of {@code connectors/}, filled in for MySQL's root without a password. */
public final class ShippedConnectors {
  private ShippedConnectors() {}

  /** The cell sink of an instance. */
  public static Map<String, String> sink(Topology topology, String bootstrap) throws IOException {
    return find("CellSinkConnector", cells(topology, bootstrap));
  }

  /** The cell source of an instance's first storage cluster. */
  public static Map<String, String> source(Topology topology, String bootstrap) throws IOException {
    return find("CellSourceConnector", cells(topology, bootstrap));
  }

  /** The sink of indexes that are kept together. */
  public static Map<String, String> indexSink(Topology topology, List<IndexDefinition> indexes)
      throws IOException {
    return find(
        "IndexSinkConnector",
        new InstanceConnectors(
            topology, ConnectorAccess.plain("root", ""), "bench", indexes, LogShape.PARTITION));
  }

  private static InstanceConnectors cells(Topology topology, String bootstrap) {
    return new InstanceConnectors(topology, ConnectorAccess.plain("root", bootstrap));
  }

  private static Map<String, String> find(String connectorClass, InstanceConnectors connectors)
      throws IOException {
    return connectors.render(StateDirectory.home().resolve("connectors")).stream()
        .filter(connector -> connector.connectorClass().endsWith("." + connectorClass))
        .findFirst()
        .orElseThrow(
            () ->
                OperationException.unavailable(
                    "connectors/ has no configuration of " + connectorClass))
        .config();
  }
}
