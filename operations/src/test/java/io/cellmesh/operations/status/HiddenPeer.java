package io.cellmesh.operations.status;

import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.operations.mesh.BareDataCenter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Writes the deployment of a data centre dc1 and of a peer dc2 that it reads over HTTP and of which
 * nothing says how to reach its brokers. The client settings of dc1's own are not there, so nobody
 * waits for them.
 */
public final class HiddenPeer {
  private HiddenPeer() {}

  /**
   * @param said what else is said of dc2, such as {@code connect: {url: "http://c2:8083"}}
   */
  public static Deployment with(String said, Path dir) throws IOException {
    for (var dc : List.of("dc1", "dc2")) {
      Files.writeString(
          dir.resolve(dc + ".yaml"), TopologyYaml.write(BareDataCenter.nowhere(dc).topology()));
    }
    var file =
        Files.writeString(
            dir.resolve("cellmesh.yaml"),
            """
            instance: trips
            datacenters:
              - name: dc1
                topology: dc1.yaml
                kafka: {bootstrap: "127.0.0.1:1", config: kafka.properties}
                mesh: {peers: {dc2: {transport: http, url: "http://127.0.0.1:1"}}}
              - name: dc2
                topology: dc2.yaml
                %s
                mesh: {peers: {dc1: {transport: http, url: "http://127.0.0.1:1"}}}
            """
                .formatted(said));
    return Deployment.read(file);
  }
}
