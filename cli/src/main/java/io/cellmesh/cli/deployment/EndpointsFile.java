package io.cellmesh.cli.deployment;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** {@code endpoints.json}: a stable contract, so what it holds beyond this is left alone. */
@JsonIgnoreProperties(ignoreUnknown = true)
record EndpointsFile(String instance, List<Site> dcs) {
  private static final String DEFAULT_USER = "root";

  static EndpointsFile read(Path file) throws IOException {
    return JsonMapper.builder().build().readValue(file.toFile(), EndpointsFile.class);
  }

  /** The user in the servers' URLs. */
  String mysqlUser() {
    var user = URI.create(dcs.get(0).clusters().get(0).master()).getUserInfo();
    return user == null ? DEFAULT_USER : user;
  }

  /** A data centre. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Site(String name, String kafka, String connect, List<Cluster> clusters) {

    /** The topology with master and minions as they are now. */
    Topology withCurrentRoles(Topology fixed) {
      var known = new HashMap<String, Server>();
      fixed.clusters().forEach(c -> c.servers().forEach(s -> known.put(s.address(), s)));
      var now =
          fixed.clusters().stream()
              .map(
                  cluster ->
                      clusters.stream()
                          .filter(c -> c.name().equals(cluster.name()))
                          .findFirst()
                          .map(c -> c.withServers(cluster, known))
                          .orElse(cluster))
              .toList();
      return new Topology(fixed.instance(), fixed.shards(), fixed.datacenter(), now);
    }
  }

  /** A storage cluster; the servers are URLs. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Cluster(String name, String shards, String master, List<String> minions) {

    StorageCluster withServers(StorageCluster fixed, Map<String, Server> known) {
      return new StorageCluster(
          fixed.name(),
          fixed.shards(),
          fixed.epoch(),
          server(master, known),
          minions.stream().map(m -> server(m, known)).toList());
    }

    private static Server server(String url, Map<String, Server> known) {
      var uri = URI.create(url);
      var bare = new Server(uri.getHost(), uri.getPort(), uri.getHost());
      return known.getOrDefault(bare.address(), bare);
    }
  }
}
