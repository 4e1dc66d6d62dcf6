package io.cellmesh.operations.connectors;

import io.cellmesh.connect.client.ConnectClientException;
import io.cellmesh.connect.client.ConnectorTemplate.Connector;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.ConnectClients;
import io.cellmesh.operations.OperationException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Gives Connect the connectors of an instance: makes those that are missing, changes those that are
 * otherwise. The sources come first, so that they stand before the first cell.
 */
public final class ConnectorRollout {
  private static final Duration START = Duration.ofSeconds(90);

  private final DataCenter dc;

  public ConnectorRollout(DataCenter dc) {
    this.dc = dc;
  }

  /**
   * Returns when all of them run. Run again it changes nothing but what differs.
   *
   * @param tell told each connector, and what became of it
   * @throws OperationException naming each that Connect refuses, before any is posted; or the one
   *     that does not come to run; or if Strimzi owns the connectors
   */
  public void run(List<Connector> connectors, BiConsumer<String, String> tell) {
    if (dc.strimzi().isPresent()) {
      throw OperationException.refused(
          "Strimzi owns the connectors of %s and would take back what this posts: apply what `cellmesh connectors render --format strimzi` prints, with kubectl"
              .formatted(dc.name()));
    }
    var client = ConnectClients.of(dc);
    var ordered = new ArrayList<>(connectors);
    ordered.sort(Comparator.comparing(connector -> !connector.isSource()));
    try {
      var refused = new ArrayList<String>();
      for (var connector : ordered) {
        client
            .validate(posted(connector))
            .forEach(
                (setting, messages) ->
                    messages.forEach(m -> refused.add(connector.name() + ": " + m)));
      }
      if (!refused.isEmpty()) {
        throw OperationException.invalid(String.join("\n", refused));
      }
      var known = client.connectors();
      for (var connector : ordered) {
        boolean there = known.contains(connector.name());
        if (there && client.config(connector.name()).equals(posted(connector))) {
          tell.accept(connector.name(), "is as it should be");
        } else {
          client.put(connector.name(), connector.config());
          client.awaitRunning(connector.name(), START);
          tell.accept(connector.name(), there ? "changed, runs" : "runs");
        }
      }
    } catch (ConnectClientException e) {
      throw e.status().isPresent()
          ? OperationException.failed(e.getMessage())
          : OperationException.unavailable(e.getMessage(), e);
    }
  }

  /** Connect adds the name. */
  private static Map<String, String> posted(Connector connector) {
    var config = new HashMap<>(connector.config());
    config.put("name", connector.name());
    return config;
  }
}
