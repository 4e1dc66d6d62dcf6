package io.cellmesh.deployment;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Where Strimzi's operator keeps the resources of a data centre. Where a deployment says it, the
 * operator owns the connectors: it takes back what anybody else changes of them.
 *
 * @param namespace of Kubernetes; empty for the one that {@code kubectl} is set to
 * @param connect the name of the KafkaConnect resource
 * @param kafka the name of the Kafka resource; empty if Strimzi does not run the brokers
 */
public record StrimziCluster(Optional<String> namespace, String connect, Optional<String> kafka) {
  /** A label of DNS, as Kubernetes wants it for services, which are named after these. */
  private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

  /**
   * @throws IllegalArgumentException naming the field and the rule
   */
  public StrimziCluster {
    namespace.ifPresent(name -> require("namespace", name));
    require("connect", connect);
    kafka.ifPresent(name -> require("kafka", name));
  }

  private static void require(String field, String name) {
    if (!LABEL.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "%s: \"%s\" is not 1 to 63 of small letters, digits and -, beginning and ending with one of the former two"
              .formatted(field, name.length() > 63 ? name.substring(0, 63) + "…" : name));
    }
  }
}
