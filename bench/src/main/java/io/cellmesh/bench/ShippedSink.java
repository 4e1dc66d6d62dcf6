package io.cellmesh.bench;

import io.cellmesh.cell.Topology;
import java.util.Map;

/** Fills in the sink's shipped configuration, for MySQL's root without a password. */
@FunctionalInterface
public interface ShippedSink {
  Map<String, String> render(Topology topology, String bootstrap) throws Exception;
}
