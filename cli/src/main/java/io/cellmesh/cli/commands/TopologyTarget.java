package io.cellmesh.cli.commands;

import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.deployment.TopologyStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that say whose topology is meant: a deployment's, or that of a file. */
final class TopologyTarget {
  @Mixin private DataCenterTarget target;

  @Option(
      names = "--topology",
      paramLabel = "FILE",
      description = "The topology.yaml of the data centre, in place of --deployment.")
  private Optional<Path> file = Optional.empty();

  /** Where a file is named instead of a deployment. */
  Optional<TopologyStore> store() {
    return file.map(TopologyStore::ofFile);
  }

  /** Where everything is; a topology alone does not say it. */
  Deployment deployment() throws IOException {
    return target.open();
  }

  /** The data centre that is meant. */
  DataCenter of(Deployment deployment) {
    return target.of(deployment);
  }

  /** That of the deployment. */
  DataCenter datacenter() throws IOException {
    return target.datacenter();
  }

  /**
   * @throws io.cellmesh.cell.TopologyException if the file is none
   */
  Topology read() throws IOException {
    var named = store();
    return named.isPresent() ? named.get().read() : datacenter().topology();
  }
}
