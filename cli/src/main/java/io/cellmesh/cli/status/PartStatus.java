package io.cellmesh.cli.status;

import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cli.deployment.DataCenter;
import io.cellmesh.cli.deployment.Deployment;
import io.cellmesh.cli.kafka.Consumers;
import io.cellmesh.devstack.ConnectClient;
import io.cellmesh.devstack.ConnectorStatus;
import io.cellmesh.devstack.DevStackException;
import io.cellmesh.storage.Pools;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Asks every part of a deployment how it is. */
public final class PartStatus {
  private static final int KAFKA_SECONDS = 5;

  private final Pools pools;

  public PartStatus(Pools pools) {
    this.pools = pools;
  }

  public List<Part> of(Deployment deployment) throws InterruptedException {
    var parts = new ArrayList<Part>();
    for (var dc : deployment.datacenters()) {
      for (var cluster : dc.topology().clusters()) {
        var shards = "shards " + cluster.shards();
        parts.add(master(dc, cluster.name() + " master", cluster.master(), shards));
        for (var minion : cluster.minions()) {
          parts.add(minion(dc, cluster.name() + " minion", minion));
        }
      }
      parts.add(kafka(dc));
      parts.addAll(connect(dc));
    }
    return parts;
  }

  private Part master(DataCenter dc, String name, Server server, String detail) {
    return asked(
        dc,
        name,
        server,
        connection -> {
          try (var statement = connection.createStatement();
              var rows = statement.executeQuery("SELECT @@GLOBAL.read_only")) {
            rows.next();
            boolean open = !rows.getBoolean(1);
            return new Part(
                dc.name(),
                name,
                server.address(),
                open,
                open
                    ? detail
                    : "read-only, so its cells wait; if it is the right master, run `cellmesh promote` with it");
          }
        });
  }

  private Part minion(DataCenter dc, String name, Server server) {
    return asked(
        dc,
        name,
        server,
        connection -> {
          try (var statement = connection.createStatement();
              var status = statement.executeQuery("SHOW REPLICA STATUS")) {
            if (!status.next()) {
              return new Part(dc.name(), name, server.address(), false, "replicates from nobody");
            }
            boolean runs =
                "Yes".equals(status.getString("Replica_IO_Running"))
                    && "Yes".equals(status.getString("Replica_SQL_Running"));
            var error = status.getString("Last_Error") + status.getString("Last_IO_Error");
            var behind = status.getString("Seconds_Behind_Source");
            return new Part(
                dc.name(),
                name,
                server.address(),
                runs,
                runs ? "replicates, " + behind + " s behind" : "does not replicate: " + error);
          }
        });
  }

  private Part asked(DataCenter dc, String name, Server server, Question question) {
    try (var connection = pools.open(server)) {
      return question.ask(connection);
    } catch (SQLException e) {
      return new Part(dc.name(), name, server.address(), false, "does not answer");
    }
  }

  private static Part kafka(DataCenter dc) throws InterruptedException {
    try (var admin = Consumers.admin(dc.kafka())) {
      int nodes = admin.describeCluster().nodes().get(KAFKA_SECONDS, TimeUnit.SECONDS).size();
      var detail = nodes == 1 ? "one broker" : nodes + " brokers";
      return new Part(dc.name(), "kafka", dc.kafka(), true, detail);
    } catch (ExecutionException | TimeoutException e) {
      return new Part(dc.name(), "kafka", dc.kafka(), false, "does not answer");
    }
  }

  private static List<Part> connect(DataCenter dc) {
    var parts = new ArrayList<Part>();
    try {
      var client = new ConnectClient(URI.create(dc.connect()));
      var names = client.connectors().stream().sorted().toList();
      parts.add(new Part(dc.name(), "connect", dc.connect(), true, names.size() + " connectors"));
      for (var name : names) {
        var status = client.status(name);
        parts.add(
            new Part(
                dc.name(),
                "connector",
                name,
                status.filter(ConnectorStatus::isRunning).isPresent(),
                status.map(PartStatus::describe).orElse("unknown to the worker")));
      }
    } catch (DevStackException e) {
      parts.add(new Part(dc.name(), "connect", dc.connect(), false, "does not answer"));
    }
    return parts;
  }

  private static String describe(ConnectorStatus status) {
    var tasks = status.tasks().size() == 1 ? "1 task" : status.tasks().size() + " tasks";
    return status
        .failure()
        .map(trace -> "failed: " + trace.lines().findFirst().orElse(""))
        .orElse(status.isRunning() ? tasks : status.toString());
  }

  private interface Question {
    Part ask(Connection connection) throws SQLException;
  }
}
