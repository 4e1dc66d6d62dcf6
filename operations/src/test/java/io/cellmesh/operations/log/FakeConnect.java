package io.cellmesh.operations.log;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.connect.client.ConnectorStatus;
import io.cellmesh.connect.client.ConnectorStatus.Part;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.FixedAccess;
import io.cellmesh.deployment.TopologyStore;
import io.cellmesh.operations.OperationException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Connect with source connectors in it, which does at once what it is asked. */
final class FakeConnect implements Connect {
  static final Topology TOPOLOGY =
      TopologyYaml.parse(
          """
          instance: trips
          shards: 64
          partitions: 16
          datacenter: dc1
          clusters:
            - {name: c1, shards: 0-31, epoch: 1, master: {url: "mysql://a"}, minions: [{url: "mysql://b"}]}
            - {name: c2, shards: 32-63, epoch: 1, master: {url: "mysql://c"}, minions: [{url: "mysql://d"}]}
          """);

  final List<String> calls = new ArrayList<>();
  final Map<String, String> states = new LinkedHashMap<>();
  final Map<String, String> traces = new LinkedHashMap<>();
  final Map<String, String> offsets = new LinkedHashMap<>();
  final Set<String> refusals = new HashSet<>();

  /** What somebody else does once an offset was changed. */
  Runnable meanwhile = () -> {};

  private final Map<String, Map<String, String>> configs = new LinkedHashMap<>();

  /** A running source for each cluster, and the sink beside them. */
  static FakeConnect withSources() {
    var connect = new FakeConnect();
    connect.add("trips-source-c1", source("c1"));
    connect.add("trips-source-c2", source("c2"));
    connect.add(
        "trips-sink",
        Map.of(
            "connector.class",
            "io.cellmesh.connect.sink.CellSinkConnector",
            "topology",
            TopologyYaml.write(TOPOLOGY)));
    return connect;
  }

  static Map<String, String> source(String cluster) {
    return Map.of(
        "connector.class",
        "io.cellmesh.connect.source.CellSourceConnector",
        "cluster",
        cluster,
        "topology",
        TopologyYaml.write(TOPOLOGY));
  }

  FakeConnect add(String name, Map<String, String> config) {
    configs.put(name, config);
    states.put(name, "RUNNING");
    return this;
  }

  FakeConnect offset(String cluster, String offset) {
    offsets.put("trips-source-" + cluster, offset);
    return this;
  }

  FakeConnect state(String cluster, String state) {
    states.put("trips-source-" + cluster, state);
    return this;
  }

  @Override
  public JsonNode connectors() {
    var all = JsonNodeFactory.instance.objectNode();
    configs.forEach(
        (name, config) -> {
          var info = all.putObject(name).putObject("info").put("name", name);
          config.forEach(info.putObject("config")::put);
        });
    return all;
  }

  @Override
  public ConnectorStatus status(String connector) {
    var state = states.get(connector);
    var task = new Part(state, "", traces.getOrDefault(connector, ""));
    return new ConnectorStatus(
        new Part(state.equals("FAILED") ? "RUNNING" : state, "", ""),
        state.equals("STOPPED") ? List.of() : List.of(task));
  }

  @Override
  public void stop(String connector) {
    call("stop", connector);
    states.put(connector, "STOPPED");
  }

  @Override
  public void resume(String connector) {
    call("resume", connector);
    states.put(connector, "RUNNING");
  }

  @Override
  public JsonNode offsets(String connector) {
    var answer = JsonNodeFactory.instance.objectNode();
    var entries = answer.putArray("offsets");
    if (offsets.containsKey(connector)) {
      var entry = entries.addObject();
      entry
          .putObject("partition")
          .put("server", "trips.dc1." + configs.get(connector).get("cluster"));
      entry.set("offset", json(offsets.get(connector)));
    }
    return answer;
  }

  @Override
  public void alterOffsets(String connector, String altered) {
    call("alter", connector);
    offsets.put(connector, json(altered).path("offsets").path(0).path("offset").toString());
    meanwhile.run();
  }

  @Override
  public String address() {
    return "http://connect:8083";
  }

  LogSources sources() {
    return new LogSources(site(), this);
  }

  static DataCenter site() {
    return new DataCenter(
        TOPOLOGY.datacenter(),
        TOPOLOGY,
        TopologyStore.ofFile(Path.of("topology.yaml")),
        FixedAccess.plain(
            "127.0.0.1:1", URI.create("http://connect:8083"), new Credentials("root", "")));
  }

  private void call(String what, String connector) {
    calls.add(what + " " + connector);
    if (refusals.contains(what + " " + connector)) {
      throw OperationException.failed("refused");
    }
  }

  private static JsonNode json(String text) {
    try {
      return new ObjectMapper().readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
