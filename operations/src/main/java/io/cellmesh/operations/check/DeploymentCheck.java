package io.cellmesh.operations.check;

import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.deployment.DeploymentException;
import io.cellmesh.operations.check.Finding.Mark;
import io.cellmesh.operations.status.WorkerStatus;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.index.IndexCatalog;
import io.cellmesh.storage.index.IndexVersion;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reaches everything that a deployment names, and looks whether each role may do its work. Changes
 * nothing.
 */
public final class DeploymentCheck {
  private final Deployment deployment;
  private final Path templates;

  /**
   * @param templates the directory of the connectors' configurations
   */
  public DeploymentCheck(Deployment deployment, Path templates) {
    this.deployment = deployment;
    this.templates = templates;
  }

  /**
   * Looks at one thing after the other.
   *
   * @param tell told each finding as it is made, in the order of the file
   */
  public void run(Consumer<Finding> tell) throws InterruptedException {
    for (var dc : deployment.datacenters()) {
      boolean hidden = deployment.hidesBrokers(dc);
      boolean mysql = false;
      if (!hidden || dc.knowsMySql()) {
        mysql = said("mysql", dc, dc::reader, tell) & said("operator", dc, dc::operator, tell);
        said("replication", dc, dc::replication, tell);
      }
      boolean kafka = !hidden && said("kafka", dc, dc::kafka, tell);
      boolean connect = false;
      boolean connectors = false;
      if (!hidden || dc.knowsConnect()) {
        connect = said("connect", dc, dc::connect, tell);
        connectors = said("connectors", dc, dc::connectors, tell);
      }
      if (hidden) {
        tell.accept(unseen(dc));
      }
      List<IndexVersion> indexes = mysql ? indexes(dc) : List.of();
      if (mysql) {
        new MySqlCheck(dc, definitions(indexes), connectors).run(tell);
      }
      if (kafka) {
        new KafkaCheck(dc, indexes).run(tell);
      }
      if (connect) {
        new ConnectCheck(dc, indexes, connectors ? Optional.of(templates) : Optional.empty())
            .run(tell);
      }
      // Everything else does its work without them, and they may be started last.
      for (var worker : WorkerStatus.of(dc)) {
        tell.accept(
            new Finding(
                dc.name(),
                "worker " + worker.address(),
                worker.up() ? Mark.GOOD : Mark.WARNING,
                worker.detail()));
      }
    }
  }

  /** What can't be looked at of a data centre that hides its brokers. */
  private static Finding unseen(DataCenter dc) {
    var parts = new ArrayList<>(List.of("kafka"));
    if (!dc.knowsConnect()) {
      parts.add("connect");
    }
    if (!dc.knowsMySql()) {
      parts.add("mysql");
    }
    return new Finding(
        dc.name(),
        String.join(", ", parts),
        Mark.WARNING,
        "can't be seen from here: it is read over HTTP, and the deployment does not name them; check them where it does");
  }

  /** Whether the file says it and its secrets can be had. */
  private static boolean said(String part, DataCenter dc, Runnable asked, Consumer<Finding> tell) {
    try {
      asked.run();
      return true;
    } catch (DeploymentException e) {
      tell.accept(new Finding(dc.name(), part, Mark.WRONG, e.getMessage()));
      return false;
    }
  }

  /** None where nobody answers, which is told elsewhere. */
  private static List<IndexVersion> indexes(DataCenter dc) {
    try (var pools = new Pools(dc.operator())) {
      return new IndexCatalog(dc.topology(), pools).look();
    } catch (SQLException e) {
      return List.of();
    }
  }

  private static List<IndexDefinition> definitions(List<IndexVersion> indexes) {
    return indexes.stream()
        .filter(index -> index.state() != IndexVersion.State.DROPPING)
        .map(IndexVersion::definition)
        .toList();
  }
}
