package io.cellmesh.bench;

import io.cellmesh.cell.Topology;
import java.util.Map;

/** Fills in a connector's shipped configuration, for MySQL's root without a password. */
@FunctionalInterface
public interface ShippedConnector {
  Map<String, String> render(Topology topology, String bootstrap) throws Exception;
}
