package io.cellmesh.operations.strimzi;

import io.cellmesh.deployment.StrimziCluster;
import io.cellmesh.operations.OperationException;

/** The Kafka resource, where Strimzi runs the brokers as well. */
final class KafkaResource {
  private KafkaResource() {}

  static String name(StrimziCluster cluster) {
    return cluster
        .kafka()
        .orElseThrow(
            () ->
                OperationException.invalid(
                    "which Kafka resource? Say kafka: NAME under `connectors: {strimzi: …}` of the deployment, or --kafka-cluster NAME"));
  }

  /** Where Strimzi keeps the certificates of the CA that signs the brokers'. */
  static String caSecret(StrimziCluster cluster) {
    return name(cluster) + "-cluster-ca-cert";
  }
}
