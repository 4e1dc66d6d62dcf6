package io.cellmesh.operations.index;

import io.cellmesh.cell.InstanceNames;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.deployment.PassTopic;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.index.IndexCatalog;

/**
 * Where the indexes of one data centre live.
 *
 * @param pools patient enough for statements that make or read whole tables
 */
public record IndexSite(Deployment deployment, DataCenter dc, Pools pools) {

  public IndexCatalog catalog() {
    return new IndexCatalog(dc.topology(), pools);
  }

  /** What index-streams is told to keep; the caller closes it. */
  PassTopic passes() {
    return new PassTopic(dc.kafka(), topology().topics());
  }

  Topology topology() {
    return dc.topology();
  }

  String topic(IndexDefinition definition) {
    return topology().topics().index(definition.label());
  }

  /** The one that writes the entries of a pass. */
  String connector(String pass) {
    return InstanceNames.connector(topology().instance(), pass);
  }

  /** The consumer group in which Connect reads the topics of a pass's indexes. */
  String sinkGroup(String pass) {
    return InstanceNames.sink(topology().instance(), pass);
  }

  /** The application that keeps the indexes of a pass: its consumer group, too. */
  String application(String pass) {
    return InstanceNames.application(topology().instance(), pass);
  }
}
