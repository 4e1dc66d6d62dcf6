package io.cellmesh.cli.commands;

import io.cellmesh.deployment.StrimziCluster;
import io.cellmesh.operations.OperationException;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options that say where Strimzi keeps the connectors, in place of the deployment. */
final class StrimziOptions {
  @Option(
      names = "--namespace",
      paramLabel = "NAME",
      description =
          "For Strimzi: the namespace of Kubernetes (default: what the deployment says, else none, "
              + "which leaves it to kubectl).")
  private Optional<String> namespace = Optional.empty();

  @Option(
      names = "--connect-cluster",
      paramLabel = "NAME",
      description =
          "For Strimzi: the KafkaConnect whose workers run the connectors (default: what the "
              + "deployment says).")
  private Optional<String> connect = Optional.empty();

  /**
   * @param said by the deployment
   * @throws OperationException if nobody names the KafkaConnect
   */
  StrimziCluster cluster(Optional<StrimziCluster> said) {
    return cluster(said, Optional.empty());
  }

  /**
   * @param kafka given on the command line
   */
  StrimziCluster cluster(Optional<StrimziCluster> said, Optional<String> kafka) {
    var name =
        connect
            .or(() -> said.map(StrimziCluster::connect))
            .orElseThrow(
                () ->
                    OperationException.invalid(
                        "--connect-cluster: which KafkaConnect? Name it, or say connect: NAME under `connectors: {strimzi: …}` of the deployment"));
    try {
      return new StrimziCluster(
          namespace.or(() -> said.flatMap(StrimziCluster::namespace)),
          name,
          kafka.or(() -> said.flatMap(StrimziCluster::kafka)));
    } catch (IllegalArgumentException e) {
      throw OperationException.invalid(e.getMessage());
    }
  }
}
