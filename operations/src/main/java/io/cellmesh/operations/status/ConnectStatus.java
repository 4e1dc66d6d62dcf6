package io.cellmesh.operations.status;

import io.cellmesh.cell.InstanceNames;
import io.cellmesh.connect.client.ConnectClient;
import io.cellmesh.connect.client.ConnectClientException;
import io.cellmesh.connect.client.ConnectorStatus;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.DeploymentException;
import io.cellmesh.operations.ConnectClients;
import io.cellmesh.storage.index.IndexVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/** How Connect and the connectors are: those that it has, and those that it should have. */
final class ConnectStatus {
  private static final String STARTED_ANEW = "task.started.anew";

  private final String instance;

  ConnectStatus(String instance) {
    this.instance = instance;
  }

  /**
   * @param indexes that the data centre has
   */
  List<Part> of(DataCenter dc, List<IndexVersion> indexes) {
    var parts = new ArrayList<Part>();
    try {
      var client = ConnectClients.of(dc);
      var names = new TreeSet<>(client.connectors());
      parts.add(
          new Part(
              dc.name(),
              "connect",
              dc.connect().url().toString(),
              true,
              names.size() + " connectors"));
      names.addAll(expected(dc, indexes));
      for (var name : names) {
        var status = client.status(name);
        parts.add(
            new Part(
                dc.name(),
                "connector",
                name,
                status.filter(ConnectorStatus::isRunning).isPresent(),
                status
                    .map(s -> describe(name, s) + startedAnew(client, name))
                    .orElse("is not there; post what `cellmesh connectors render` prints")));
      }
    } catch (ConnectClientException e) {
      // One that refuses, or is not trusted, is no worker to be started again.
      var why = e.somebodyIsThere() ? e.getMessage() : "does not answer";
      parts.add(new Part(dc.name(), "connect", dc.connect().url().toString(), false, why));
    } catch (DeploymentException e) {
      parts.add(new Part(dc.name(), "connect", "", false, "not known: " + e.getMessage()));
    }
    return parts;
  }

  private List<String> expected(DataCenter dc, List<IndexVersion> indexes) {
    var names = new ArrayList<String>();
    names.add(instance + "-sink");
    dc.topology().clusters().forEach(c -> names.add(instance + "-source-" + c.name()));
    indexes.forEach(index -> names.add(InstanceNames.connector(instance, index.pass())));
    return names;
  }

  /** What a source's connector says in its task's settings when it has had it started anew. */
  private static String startedAnew(ConnectClient client, String name) {
    return client
        .taskSetting(name, STARTED_ANEW)
        .map(at -> "; ended without a reason of its own, started anew by its connector at " + at)
        .orElse("");
  }

  private String describe(String name, ConnectorStatus status) {
    int tasks = status.tasks().size();
    if (status.isRunning()) {
      return tasks == 1 ? "1 task" : tasks + " tasks";
    }
    for (int i = 0; i < tasks; i++) {
      if (status.tasks().get(i).state().equals("FAILED")) {
        return "task %d of %d failed: %s".formatted(i, tasks, reason(name, status.tasks().get(i)));
      }
    }
    var state = status.connector().state();
    if (state.equals("FAILED")) {
      return "failed: " + reason(name, status.connector());
    }
    return tasks == 0 ? state.toLowerCase(Locale.ROOT) + ", no task" : status.toString();
  }

  private String reason(String connector, ConnectorStatus.Part part) {
    boolean source = connector.startsWith(instance + "-source-");
    var role = source ? "source" : connector.equals(instance + "-sink") ? "sink" : "index";
    return KafkaRefusal.of(part.trace(), role).orElseGet(part::reason);
  }
}
