package io.cellmesh.operations.mesh;

import io.cellmesh.cell.Topics;
import io.cellmesh.cell.Topology;
import io.cellmesh.connect.client.ConnectClient;
import io.cellmesh.connect.client.ConnectClientException;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.topology.ConnectorTopologies;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Has the sink of a data centre leave what its producers write alone while its own lost cells come
 * back: those stand before what is written now, in the order of their shards (invariant 9). Connect
 * keeps it, so it holds however a command ends.
 */
final class MeshAlone {
  private static final String CLASS = "connector.class";
  private static final String SINK = "io.cellmesh.connect.sink.CellSinkConnector";
  private static final String TOPICS = "topics";
  private static final String PATTERN = "topics.regex";
  private static final Duration START = Duration.ofSeconds(90);

  private final ConnectClient connect;
  private final Topology topology;

  MeshAlone(ConnectClient connect, Topology topology) {
    this.connect = connect;
    this.topology = topology;
  }

  /**
   * Begins.
   *
   * @throws OperationException if Connect has no such sink, or does not take the change
   */
  void begin() {
    if (take(topology.topics().mesh()).isEmpty()) {
      throw OperationException.refused(
          "Connect at %s has no sink of %s in %s; `cellmesh connectors apply` makes it, and nothing comes back without one"
              .formatted(connect.worker(), topology.instance(), topology.datacenter()));
    }
  }

  /**
   * Whether it has begun and not ended.
   *
   * @throws OperationException if Connect does not answer
   */
  boolean isInEffect() {
    try {
      return sinks().values().stream()
          .anyMatch(settings -> topology.topics().mesh().equals(settings.get(TOPICS)));
    } catch (ConnectClientException e) {
      throw failed(e);
    }
  }

  /**
   * Ends, and returns when the sink runs.
   *
   * @throws OperationException if it does not, or Connect does not take the change
   */
  void end() {
    try {
      for (var name : take(both(topology.topics()))) {
        connect.awaitRunning(name, START);
      }
    } catch (ConnectClientException e) {
      throw failed(e);
    }
  }

  /** What a sink has usually. */
  static String both(Topics topics) {
    return topics.cells() + "," + topics.mesh();
  }

  /** The settings of a sink that takes other topics. */
  static Map<String, String> taking(Map<String, String> settings, String topics) {
    var changed = new HashMap<>(settings);
    changed.remove(PATTERN);
    changed.put(TOPICS, topics);
    return changed;
  }

  /** Returns the names of the sinks, which take these topics now. */
  private Set<String> take(String topics) {
    try {
      var sinks = sinks();
      for (var sink : sinks.entrySet()) {
        var changed = taking(sink.getValue(), topics);
        if (!changed.equals(sink.getValue())) {
          connect.put(sink.getKey(), changed);
        }
      }
      return sinks.keySet();
    } catch (ConnectClientException e) {
      throw failed(e);
    }
  }

  /** The settings of the sinks, by name. */
  private Map<String, Map<String, String>> sinks() {
    var sinks = new TreeMap<String, Map<String, String>>();
    for (var name : connect.connectors()) {
      var settings = connect.config(name);
      if (isSink(settings)) {
        sinks.put(name, settings);
      }
    }
    return sinks;
  }

  private boolean isSink(Map<String, String> settings) {
    if (!SINK.equals(settings.get(CLASS))) {
      return false;
    }
    // One that comes from a ConfigProvider can't be told; the usual name is.
    return ConnectorTopologies.of(settings)
        .map(
            theirs ->
                theirs.instance().equals(topology.instance())
                    && theirs.datacenter().equals(topology.datacenter()))
        .orElseGet(() -> (topology.instance() + "-sink").equals(settings.get("name")));
  }

  private static OperationException failed(ConnectClientException e) {
    return OperationException.unavailable(
        e.getMessage() + "; run the same command again when Connect is well", e);
  }
}
