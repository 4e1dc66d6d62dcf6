package io.cellmesh.cell;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads and writes {@code topology.yaml}. */
public final class TopologyYaml {
  private static final ObjectMapper YAML = new YAMLMapper();

  private TopologyYaml() {}

  /**
   * @throws TopologyException if the text is not YAML, misses a field, has an unknown one, or
   *     breaks a rule of {@link Topology}
   */
  public static Topology parse(String yaml) {
    JsonNode root;
    try {
      root = YAML.readTree(yaml);
    } catch (JsonProcessingException e) {
      var at = e.getLocation();
      throw new TopologyException(
          "not YAML"
              + (at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr()));
    }
    checkFields(
        root, "topology", Set.of("instance", "shards", "partitions", "datacenter", "clusters"));
    try {
      return new Topology(
          text(root, "instance"),
          new Shards(integer(root, "shards"), integer(root, "partitions")),
          text(root, "datacenter"),
          clusters(root));
    } catch (TopologyException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw new TopologyException(e.getMessage());
    }
  }

  /** The text form, which {@link #parse} reads back as an equal topology. */
  public static String write(Topology topology) {
    var out = new StringBuilder();
    out.append("instance: ").append(topology.instance()).append('\n');
    out.append("shards: ").append(topology.shards().count()).append('\n');
    out.append("partitions: ").append(topology.shards().partitions()).append('\n');
    out.append("datacenter: ").append(topology.datacenter()).append('\n');
    out.append("clusters:\n");
    for (var cluster : topology.clusters()) {
      out.append("  - name: ").append(cluster.name()).append('\n');
      out.append("    shards: \"").append(cluster.shards()).append("\"\n");
      out.append("    epoch: ").append(cluster.epoch()).append('\n');
      out.append("    master: ").append(flow(cluster.master())).append('\n');
      out.append("    minions: [")
          .append(String.join(", ", cluster.minions().stream().map(TopologyYaml::flow).toList()))
          .append("]\n");
    }
    return out.toString();
  }

  private static String flow(Server server) {
    return "{url: \"%s\", domain: \"%s\"}".formatted(server.url(), server.domain());
  }

  private static List<StorageCluster> clusters(JsonNode root) {
    var clusters = new ArrayList<StorageCluster>();
    for (var node : array(root, "clusters")) {
      checkFields(node, "clusters", Set.of("name", "shards", "epoch", "master", "minions"));
      var minions = new ArrayList<Server>();
      for (var minion : node.has("minions") ? array(node, "minions") : YAML.createArrayNode()) {
        minions.add(server(minion, "minions"));
      }
      clusters.add(
          new StorageCluster(
              text(node, "name"),
              ShardSet.parse(text(node, "shards")),
              integer(node, "epoch"),
              server(required(node, "master"), "master"),
              minions));
    }
    return clusters;
  }

  private static Server server(JsonNode node, String where) {
    checkFields(node, where, Set.of("url", "domain"));
    var url = text(node, "url");
    URI uri;
    try {
      uri = new URI(url);
    } catch (URISyntaxException e) {
      throw new TopologyException(where + ".url is not mysql://host:port");
    }
    if (uri.getUserInfo() != null) {
      throw new TopologyException(
          where + ".url of " + uri.getHost() + ": no user or password belongs into the topology");
    }
    var bare = (uri.getPath() == null || uri.getPath().isEmpty()) && uri.getQuery() == null;
    if (!"mysql".equals(uri.getScheme()) || uri.getHost() == null || !bare) {
      throw new TopologyException(where + ".url: \"" + url + "\" is not mysql://host:port");
    }
    int port = uri.getPort() == -1 ? 3306 : uri.getPort();
    return new Server(
        uri.getHost(), port, node.has("domain") ? text(node, "domain") : uri.getHost());
  }

  private static void checkFields(JsonNode node, String where, Set<String> known) {
    if (!node.isObject()) {
      throw new TopologyException(
          where + ": a mapping with the fields " + sorted(known) + " is needed");
    }
    var unknown = new HashSet<String>();
    node.fieldNames().forEachRemaining(unknown::add);
    unknown.removeAll(known);
    if (!unknown.isEmpty()) {
      throw new TopologyException(
          where + ": unknown field " + sorted(unknown) + "; known are " + sorted(known));
    }
  }

  private static List<String> sorted(Set<String> names) {
    return names.stream().sorted().toList();
  }

  private static JsonNode required(JsonNode node, String field) {
    var value = node.get(field);
    if (value == null || value.isNull()) {
      throw new TopologyException(field + " is missing");
    }
    return value;
  }

  private static JsonNode array(JsonNode node, String field) {
    var value = required(node, field);
    if (!value.isArray()) {
      throw new TopologyException(field + " must be a list");
    }
    return value;
  }

  private static String text(JsonNode node, String field) {
    var value = required(node, field);
    if (!value.isValueNode()) {
      throw new TopologyException(field + " must be a text");
    }
    return value.asText();
  }

  private static int integer(JsonNode node, String field) {
    var value = required(node, field);
    if (!value.isInt()) {
      throw new TopologyException(field + ": \"" + value.asText() + "\" is not a whole number");
    }
    return value.intValue();
  }
}
