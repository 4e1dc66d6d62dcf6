package io.cellmesh.operations.topology;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyException;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.connect.client.ConnectClient;
import io.cellmesh.connect.client.ConnectClientException;
import io.cellmesh.connect.client.ConnectorStatus;
import io.cellmesh.connect.client.Waiting;
import io.cellmesh.operations.OperationException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Gives the connectors of an instance another topology. They carry it in their settings, so that
 * Connect itself ends every task that has the old one.
 */
public final class ConnectorTopologies {
  private static final String SETTING = "topology";
  private static final String CLASS = "connector.class";
  private static final String OURS = "io.cellmesh.connect.";

  /** A group of workers that has lost one, perhaps its leader, takes no changes for a while. */
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private static final Duration POLL = Duration.ofMillis(250);

  private final ConnectClient connect;

  public ConnectorTopologies(ConnectClient connect) {
    this.connect = connect;
  }

  /**
   * What was done.
   *
   * @param changed connectors that have the new one now
   * @param byHand connectors whose topology comes from elsewhere, through a ConfigProvider
   */
  public record Outcome(List<String> changed, List<String> byHand) {}

  /**
   * Finds the topology that a connector has.
   *
   * @param config its settings
   * @return empty if it has none, or has it from elsewhere, through a ConfigProvider
   */
  public static Optional<Topology> of(Map<String, String> config) {
    try {
      return Optional.ofNullable(config.get(SETTING)).map(TopologyYaml::parse);
    } catch (TopologyException e) {
      return Optional.empty();
    }
  }

  /**
   * Changes every connector that has another topology of this data centre; once more it changes
   * nothing. What a connector knows more of the other clusters it keeps: another command may have
   * changed them meanwhile. Index sinks read their topics from the beginning where index tables may
   * lack entries that were written once, which changes nothing where nothing is missing; so they do
   * for a promotion that ended before it came to them.
   *
   * @param changed the cluster of which this topology is right, whatever a connector knows
   * @param again whether they may lack some, whatever the masters are
   * @param whole clusters whose new master is known to have all that the one before had
   * @param says told which connector it is at
   * @throws OperationException if Connect does not take a change
   */
  public Outcome update(
      Topology topology, String changed, boolean again, Set<String> whole, Consumer<String> says)
      throws InterruptedException {
    UnaryOperator<Topology> change =
        known -> ServerInquiry.with(topology.withNewerOf(known), topology.cluster(changed));
    var updated = new ArrayList<String>();
    var byHand = new ArrayList<String>();
    for (var name : patiently(connect::connectors)) {
      var config = patiently(() -> connect.config(name));
      if (!config.getOrDefault(CLASS, "").startsWith(OURS)) {
        continue;
      }
      if (config.getOrDefault(SETTING, "").startsWith("${")) {
        byHand.add(name);
        continue;
      }
      var before = of(config).filter(known -> isOfSame(known, topology));
      var after = before.map(change);
      if (!after.equals(before)) {
        says.accept(name);
        if (config.get(CLASS).contains(".index.")
            && (again || mayLack(before.get(), after.get(), whole))) {
          readAgain(name);
        }
        put(name, change);
        updated.add(name);
      }
    }
    return new Outcome(updated, byHand);
  }

  /** Waits until connectors run; returns what does not, and why. */
  public Map<String, String> awaitRunning(List<String> names, Duration patience)
      throws InterruptedException {
    return Waiting.within(patience, POLL, () -> notRunning(names).isEmpty())
        ? Map.of()
        : notRunning(names);
  }

  private Map<String, String> notRunning(List<String> names) throws InterruptedException {
    var waiting = new HashMap<String, String>();
    for (var name : names) {
      var status = patiently(() -> connect.status(name));
      if (status.filter(ConnectorStatus::isRunning).isEmpty()) {
        waiting.put(name, describe(status));
      }
    }
    return waiting;
  }

  /**
   * Starts a connector's task anew: the one that ends stores how far it has come.
   *
   * @throws OperationException if Connect does not answer
   */
  public void restartTask(String name) throws InterruptedException {
    change(() -> connect.restartTask(name, 0));
  }

  /** Whether a cluster has another master that may lack entries of the one before. */
  private static boolean mayLack(Topology before, Topology after, Set<String> whole) {
    return after.clusters().stream()
        .filter(cluster -> !whole.contains(cluster.name()))
        .anyMatch(
            cluster ->
                before.clusters().stream()
                    .filter(old -> old.name().equals(cluster.name()))
                    .anyMatch(old -> !old.master().equals(cluster.master())));
  }

  /** Connect is asked once more, since another command may have put its own since. */
  private void put(String name, UnaryOperator<Topology> change) throws InterruptedException {
    var next = new HashMap<>(patiently(() -> connect.config(name)));
    var known = TopologyYaml.parse(next.get(SETTING));
    next.put(SETTING, TopologyYaml.write(change.apply(known)));
    change(() -> connect.put(name, next));
  }

  private void readAgain(String name) throws InterruptedException {
    change(() -> connect.stop(name));
    // Until its tasks have left their group its offsets can't be touched.
    change(() -> connect.deleteOffsets(name));
    change(() -> connect.resume(name));
  }

  private static boolean isOfSame(Topology one, Topology other) {
    return one.instance().equals(other.instance()) && one.datacenter().equals(other.datacenter());
  }

  private static String describe(Optional<ConnectorStatus> status) {
    return status
        .map(s -> s.failed().map(ConnectorStatus.Part::reason).orElse(s.toString()))
        .orElse("Connect does not know it");
  }

  private interface Request<T> {
    T send();
  }

  /**
   * What came of one request.
   *
   * @param failure null if there is a value
   */
  private record Answer<T>(T value, ConnectClientException failure) {
    static <T> Answer<T> to(Request<T> request) {
      try {
        return new Answer<>(request.send(), null);
      } catch (ConnectClientException e) {
        return new Answer<>(null, e);
      }
    }
  }

  private static void change(Runnable request) throws InterruptedException {
    patiently(
        () -> {
          request.run();
          return null;
        });
  }

  private static <T> T patiently(Request<T> request) throws InterruptedException {
    var last =
        Waiting.last(PATIENCE, POLL, () -> Answer.to(request), answer -> answer.failure() == null);
    if (last.failure() != null) {
      throw OperationException.unavailable(
          last.failure().getMessage() + "; run the same command again when Connect is well",
          last.failure());
    }
    return last.value();
  }
}
