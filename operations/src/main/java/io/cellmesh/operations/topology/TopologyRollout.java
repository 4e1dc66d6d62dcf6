package io.cellmesh.operations.topology;

import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.ConnectClients;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Brings a changed topology to the connectors, and says what a person has to do beside it. */
public final class TopologyRollout {
  private static final Duration CONNECTORS = Duration.ofSeconds(60);

  private TopologyRollout() {}

  /**
   * Returns when the connectors run with it, or a minute later.
   *
   * @param again as for {@link ConnectorTopologies#update}
   * @param says told what it is at
   * @return remarks for a person
   */
  public static List<String> publish(
      DataCenter site, Topology topology, boolean again, Consumer<String> says)
      throws InterruptedException {
    var remarks = new ArrayList<String>();
    var connectors = new ConnectorTopologies(ConnectClients.of(site));
    var outcome = connectors.update(topology, again, says);
    says.accept("they start");
    connectors
        .awaitRunning(outcome.changed(), CONNECTORS)
        .forEach((name, why) -> remarks.add(name + " does not run: " + why));
    for (var name : outcome.byHand()) {
      remarks.add(
          name + " takes its topology from a ConfigProvider: give it the new one and restart it");
    }
    return remarks;
  }
}
