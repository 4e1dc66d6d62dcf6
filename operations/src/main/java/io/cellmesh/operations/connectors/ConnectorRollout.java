package io.cellmesh.operations.connectors;

import io.cellmesh.cell.Topics;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.connect.client.ConnectClientException;
import io.cellmesh.connect.client.ConnectorStatus;
import io.cellmesh.connect.client.ConnectorTemplate.Connector;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.ConnectClients;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.topology.ConnectorTopologies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Gives Connect the connectors of an instance: makes those that are missing, changes those that are
 * otherwise. The sources come first, so that they stand before the first cell.
 */
public final class ConnectorRollout {
  private static final Duration START = Duration.ofSeconds(90);
  private static final String TOPICS = "topics";
  private static final String TOPOLOGY = "topology";

  private final DataCenter dc;

  public ConnectorRollout(DataCenter dc) {
    this.dc = dc;
  }

  /**
   * Returns when all run that it has made or changed. Run again it changes nothing but what
   * differs, and of the rest says what does not run.
   *
   * @param tell told each connector, and what became of it
   * @throws OperationException naming each that Connect refuses, before any is posted; or the one
   *     that does not come to run; or if Strimzi owns the connectors, or lost cells are coming back
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
        if (known.contains(connector.name())) {
          refuseToMix(client.config(connector.name()), posted(connector));
        }
      }
      for (var connector : ordered) {
        boolean there = known.contains(connector.name());
        var present = there ? client.config(connector.name()) : Map.<String, String>of();
        var wanted = keepingNewer(connector, present);
        if (present.equals(posted(wanted))) {
          tell.accept(connector.name(), unchanged(client.status(connector.name())));
        } else {
          client.put(connector.name(), wanted.config());
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

  /** One that failed before, or that somebody has stopped, stays so. */
  static String unchanged(Optional<ConnectorStatus> status) {
    return "is as it should be"
        + status
            .filter(found -> !found.isRunning())
            .map(found -> ", but does not run: " + why(found))
            .orElse("");
  }

  private static String why(ConnectorStatus status) {
    return status
        .failed()
        .map(part -> part.reason() + "; restart it when the cause is gone")
        .orElse(status.toString());
  }

  /** Who applies files now and then must not let new cells in before those that come back. */
  private void refuseToMix(Map<String, String> there, Map<String, String> wanted) {
    if (takesMeshAlone(dc.topology().topics(), there, wanted)) {
      throw OperationException.refused(
          "%1$s takes %2$s alone, since `cellmesh dc back %3$s` brings back cells that must stand before what producers write. That command ends with both topics: run it again where it was interrupted, then this"
              .formatted(
                  there.get("name"), dc.topology().topics().mesh(), dc.topology().datacenter()));
    }
  }

  /** Whether a sink leaves alone what producers write, and would no longer. */
  static boolean takesMeshAlone(
      Topics topics, Map<String, String> there, Map<String, String> wanted) {
    return topics.mesh().equals(there.get(TOPICS)) && !topics.mesh().equals(wanted.get(TOPICS));
  }

  /**
   * Adds to a connector what it knows more of the servers, where it is there already: a promotion
   * may have told it since this one was rendered, and the map from before would name a master that
   * is fenced.
   *
   * @param there its settings as Connect has them; empty if it has none
   */
  public static Connector keepingNewer(Connector connector, Map<String, String> there) {
    var ours = ConnectorTopologies.of(connector.config());
    var theirs = ConnectorTopologies.of(there);
    if (ours.isEmpty() || theirs.isEmpty() || !isSameMap(ours.get(), theirs.get())) {
      return connector;
    }
    var newer = ours.get().withNewerOf(theirs.get());
    return newer.equals(ours.get())
        ? connector
        : connector.with(TOPOLOGY, TopologyYaml.write(newer));
  }

  private static boolean isSameMap(Topology one, Topology other) {
    return one.instance().equals(other.instance())
        && one.datacenter().equals(other.datacenter())
        && one.shards().equals(other.shards());
  }

  /** Connect adds the name. */
  private static Map<String, String> posted(Connector connector) {
    var config = new HashMap<>(connector.config());
    config.put("name", connector.name());
    return config;
  }
}
