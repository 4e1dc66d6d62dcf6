package io.cellmesh.herb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Deployments of instances with two data centres, dc1 and dc2, as files of one directory. */
record DeploymentFiles(Path dir) {
  /**
   * Writes those of an instance, over what was there.
   *
   * @return its {@code cellmesh.yaml}
   */
  Path write(String instance, int partitions, String here, String there) throws IOException {
    for (var dc : new String[] {"dc1", "dc2"}) {
      Files.writeString(
          dir.resolve("%s-%s.yaml".formatted(instance, dc)),
          """
          instance: %s
          shards: 64
          partitions: %d
          datacenter: %s
          clusters:
            - {name: c1, shards: 0-63, epoch: 1, master: {url: "mysql://127.0.0.1:1"}}
          """
              .formatted(instance, partitions, dc));
    }
    return Files.writeString(
        dir.resolve(instance + ".yaml"),
        """
        instance: %1$s
        datacenters:
          - {name: dc1, topology: %1$s-dc1.yaml, kafka: {bootstrap: "%2$s"}}
          - {name: dc2, topology: %1$s-dc2.yaml, kafka: {bootstrap: "%3$s"}}
        """
            .formatted(instance, here, there));
  }
}
