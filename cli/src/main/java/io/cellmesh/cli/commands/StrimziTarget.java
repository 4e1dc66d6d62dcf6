package io.cellmesh.cli.commands;

import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.deployment.StrimziCluster;
import java.io.IOException;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that say which data centre Strimzi is to run, and where it keeps its resources. */
final class StrimziTarget {
  @Mixin private DataCenterTarget target;

  @Mixin private StrimziOptions strimzi;

  @Option(
      names = "--kafka-cluster",
      paramLabel = "NAME",
      description = "The Kafka resource (default: what the deployment says).")
  private Optional<String> kafka = Optional.empty();

  Deployment open() throws IOException {
    return target.open();
  }

  DataCenter of(Deployment deployment) {
    return target.of(deployment);
  }

  StrimziCluster cluster(DataCenter dc) {
    return strimzi.cluster(dc.strimzi(), kafka);
  }
}
