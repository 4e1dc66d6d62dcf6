package io.cellmesh.operations.status;

import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.operations.mesh.BareDataCenter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes the deployment of a data centre dc1 with one storage cluster, whose server is nowhere. */
final class OneDataCenter {
  private OneDataCenter() {}

  /**
   * @param access how to reach what the test is about, such as {@code workers: ["http://w1:8080"]}
   */
  static Deployment with(String access, Path dir) throws IOException {
    Files.writeString(
        dir.resolve("topology.yaml"), TopologyYaml.write(BareDataCenter.nowhere("dc1").topology()));
    var file =
        Files.writeString(
            dir.resolve("cellmesh.yaml"),
            """
            instance: trips
            datacenters:
              - {name: dc1, topology: topology.yaml, %s}
            """
                .formatted(access));
    return Deployment.read(file);
  }
}
