package io.cellmesh.operations.log;

import com.fasterxml.jackson.databind.JsonNode;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.cell.TopologyException;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.operations.OperationException;
import io.cellmesh.topics.LogShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Finds the source connectors of an instance among all that Connect has, by their settings. */
final class SourceSearch {
  private static final String CLASS = "io.cellmesh.connect.source.CellSourceConnector";

  private final Topology topology;
  private final String connect;
  private final List<SourceConnector> found = new ArrayList<>();

  /**
   * @param topology of the instance
   * @param answer of {@code GET /connectors?expand=info}
   * @param connect where it comes from, for messages
   */
  SourceSearch(Topology topology, JsonNode answer, String connect) {
    this.topology = topology;
    this.connect = connect;
    answer.forEach(entry -> add(entry.path("info")));
  }

  /** Every source connector of the instance in this data centre. */
  List<SourceConnector> all() {
    return List.copyOf(found);
  }

  /**
   * The connector of each cluster.
   *
   * @param shape needed only where a cluster has one of either
   * @throws OperationException if a cluster has none, naming what to post, or several
   */
  List<SourceConnector> of(List<StorageCluster> clusters, Optional<LogShape> shape) {
    return clusters.stream().map(cluster -> of(cluster, shape)).toList();
  }

  private SourceConnector of(StorageCluster cluster, Optional<LogShape> shape) {
    var candidates =
        found.stream()
            .filter(source -> source.cluster().name().equals(cluster.name()))
            .filter(source -> shape.isEmpty() || shape.get() == source.shape())
            .toList();
    if (candidates.isEmpty()) {
      throw OperationException.failed(
          "Connect at %s has no source connector for cluster %s of %s in %s; post %s-source-%s, as `cellmesh connectors render --topology FILE` writes it, and run this again"
              .formatted(
                  connect,
                  cluster.name(),
                  topology.instance(),
                  topology.datacenter(),
                  topology.instance(),
                  cluster.name()));
    }
    if (candidates.size() > 1) {
      throw OperationException.invalid(
          "cluster %s has several source connectors, %s: %s"
              .formatted(
                  cluster.name(),
                  candidates.stream().map(SourceConnector::name).toList(),
                  shape.isEmpty()
                      ? "say which with --shard-topics partition or topic"
                      : "two that write the same topics can't be right; delete one"));
    }
    return candidates.get(0);
  }

  private void add(JsonNode info) {
    var config = info.path("config");
    var type = config.path("connector.class").asText();
    boolean ours = type.equals(CLASS) || CLASS.endsWith("." + type);
    if (!ours || !isOfThisInstance(config.path("topology").asText())) {
      return;
    }
    var name = config.path("cluster").asText();
    topology.clusters().stream()
        .filter(cluster -> cluster.name().equals(name))
        .forEach(
            cluster ->
                found.add(
                    new SourceConnector(
                        info.path("name").asText(),
                        cluster,
                        LogShape.valueOf(
                            config
                                .path(LogShape.SETTING)
                                .asText(LogShape.PARTITION.value())
                                .toUpperCase(Locale.ROOT)),
                        list(config.path("trigger.columns").asText()),
                        config.path("read.from").asText("minion"),
                        SourceConnector.server(topology, name))));
  }

  private static List<String> list(String setting) {
    return Arrays.stream(setting.split(","))
        .map(String::trim)
        .filter(name -> !name.isEmpty())
        .toList();
  }

  /** A reference to a config provider can't be looked into: the cluster's name has to do. */
  private boolean isOfThisInstance(String yaml) {
    if (yaml.startsWith("${")) {
      return true;
    }
    try {
      var theirs = TopologyYaml.parse(yaml);
      return theirs.instance().equals(topology.instance())
          && theirs.datacenter().equals(topology.datacenter());
    } catch (TopologyException e) {
      return false;
    }
  }
}
