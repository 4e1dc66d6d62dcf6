package io.cellmesh.deployment;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyException;
import io.cellmesh.cell.yaml.YamlException;
import io.cellmesh.cell.yaml.YamlTree;
import io.cellmesh.cell.yaml.YamlTree.Mapping;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads {@code cellmesh.yaml}. */
final class DeploymentYaml {
  private final String source;
  private final Path base;

  private DeploymentYaml(String source, Path base) {
    this.source = source;
    this.base = base;
  }

  /**
   * @param source what the text is, for messages
   * @param base the directory that files are relative to
   */
  static Deployment parse(String source, String yaml, Path base) throws IOException {
    try {
      return new DeploymentYaml(source, base).deployment(yaml);
    } catch (YamlException e) {
      throw new DeploymentException(source + ": " + e.getMessage(), e);
    }
  }

  private Deployment deployment(String yaml) throws IOException {
    var root = YamlTree.parse("the deployment", yaml).mapping("the deployment");
    root.allow("the deployment", Set.of("instance", "datacenters"));
    var instance = root.text("instance");
    var datacenters = new ArrayList<DataCenter>();
    for (var item : root.list("datacenters")) {
      var dc = datacenter(item.mapping("datacenters"));
      if (!dc.topology().instance().equals(instance.text())) {
        throw YamlTree.refuse(
            instance,
            "instance: \"%s\" is not that of %s, which is %s"
                .formatted(instance.text(), dc.store().file(), dc.topology().instance()));
      }
      datacenters.add(dc);
    }
    checkPeers(datacenters);
    return new Deployment(source, datacenters);
  }

  private static void checkPeers(List<DataCenter> datacenters) {
    var names = datacenters.stream().map(DataCenter::name).collect(Collectors.toSet());
    for (var dc : datacenters) {
      if (dc.access() instanceof YamlAccess access) {
        var others = new HashSet<>(names);
        others.remove(dc.name());
        access.checkPeers(others);
      }
    }
  }

  private DataCenter datacenter(Mapping dc) throws IOException {
    dc.allow(
        "datacenters",
        Set.of(
            "name",
            "topology",
            "kafka",
            "connect",
            "mysql",
            "operator",
            "replication",
            "connectors",
            "workers",
            "mesh"));
    var name = dc.text("name");
    var store = TopologyStore.ofFile(base.resolve(dc.text("topology").text()));
    Topology topology;
    try {
      topology = store.read();
    } catch (IOException | TopologyException e) {
      throw YamlTree.refuse(
          dc.text("topology"),
          "topology: %s: %s"
              .formatted(
                  store.file(),
                  e instanceof IOException io ? "can't be read: " + reason(io) : e.getMessage()));
    }
    if (!topology.datacenter().equals(name.text())) {
      throw YamlTree.refuse(
          name,
          "name: \"%s\" is not that of %s, which is %s"
              .formatted(name.text(), store.file(), topology.datacenter()));
    }
    return new DataCenter(name.text(), topology, store, YamlAccess.of(source, base, dc, topology));
  }

  /** Says why a file can't be read or written. */
  static String reason(IOException e) {
    // Of these the message is the file's name alone.
    if (e instanceof NoSuchFileException) {
      return "there is no such file";
    }
    return e instanceof AccessDeniedException ? "access denied" : e.toString();
  }
}
