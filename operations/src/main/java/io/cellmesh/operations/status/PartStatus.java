package io.cellmesh.operations.status;

import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.deployment.DeploymentException;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.index.IndexCatalog;
import io.cellmesh.storage.index.IndexVersion;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Asks every part of a deployment how it is. One that does not answer is part of the result. */
public final class PartStatus {
  private final Pools pools;

  public PartStatus(Pools pools) {
    this.pools = pools;
  }

  /**
   * Every part of every data centre: servers, Kafka, Connect with its connectors, applications,
   * triggers, workers.
   */
  public List<Part> of(Deployment deployment) throws InterruptedException {
    var servers = new ServerStatus(pools);
    var connect = new ConnectStatus(deployment.instance());
    var parts = new ArrayList<Part>();
    try (var kafka = new KafkaStatus(deployment)) {
      for (var dc : deployment.datacenters()) {
        boolean hidden = deployment.hidesBrokers(dc);
        parts.addAll(hidden && !dc.knowsMySql() ? unnamed(dc, "mysql") : servers.of(dc));
        var indexes = indexes(dc, servers);
        parts.add(kafka.brokers(dc));
        parts.addAll(
            hidden && !dc.knowsConnect() ? unnamed(dc, "connect") : connect.of(dc, indexes));
        parts.addAll(kafka.applications(dc, indexes));
        parts.addAll(kafka.triggers(dc));
        parts.addAll(WorkerStatus.of(dc));
      }
    }
    return parts;
  }

  private static List<Part> unnamed(DataCenter dc, String name) {
    return List.of(Part.unseen(dc.name(), name, "", "the deployment does not name it"));
  }

  /** None if no MySQL server answers or can be asked, which the servers' own lines say. */
  private List<IndexVersion> indexes(DataCenter dc, ServerStatus servers) {
    var all = dc.topology().clusters().stream().flatMap(cluster -> cluster.servers().stream());
    if (all.noneMatch(servers::hasAnswered)) {
      return List.of();
    }
    try {
      return new IndexCatalog(dc.topology(), pools).look(servers::hasAnswered);
    } catch (SQLException | DeploymentException e) {
      return List.of();
    }
  }
}
