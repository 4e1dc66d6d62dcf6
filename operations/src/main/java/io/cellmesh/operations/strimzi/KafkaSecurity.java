package io.cellmesh.operations.strimzi;

import io.cellmesh.deployment.ConnectorAccess;
import io.cellmesh.operations.OperationException;
import java.util.Locale;
import java.util.Set;

/**
 * How Kafka's clients sign on, in Strimzi's words.
 *
 * @param encrypted by TLS
 * @param type of authentication; empty for none
 */
record KafkaSecurity(boolean encrypted, String type) {
  static final String CERTIFICATE = "tls";
  private static final Set<String> PASSWORDS = Set.of("scram-sha-512", "scram-sha-256", "plain");

  /**
   * Takes it from what connectors are told.
   *
   * @throws OperationException if Strimzi has no word for it
   */
  static KafkaSecurity of(ConnectorAccess connectors) {
    var settings = connectors.kafka("connect");
    var protocol = settings.getOrDefault("security.protocol", "PLAINTEXT");
    var mechanism = settings.getOrDefault("sasl.mechanism", "").toLowerCase(Locale.ROOT);
    return switch (protocol) {
      case "PLAINTEXT" -> new KafkaSecurity(false, "");
      case "SSL" ->
          new KafkaSecurity(
              true,
              settings.keySet().stream().anyMatch(k -> k.startsWith("ssl.keystore."))
                  ? CERTIFICATE
                  : "");
      case "SASL_PLAINTEXT" -> new KafkaSecurity(false, password(mechanism));
      case "SASL_SSL" -> new KafkaSecurity(true, password(mechanism));
      default ->
          throw OperationException.invalid(
              "connectors: kafka: security.protocol: \"%s\" is none of Kafka's"
                  .formatted(protocol));
    };
  }

  private static String password(String mechanism) {
    if (!PASSWORDS.contains(mechanism)) {
      throw OperationException.invalid(
          "connectors: kafka: sasl.mechanism: \"%s\" has no counterpart that this prints for Strimzi; it knows SCRAM-SHA-512, SCRAM-SHA-256 and PLAIN"
              .formatted(mechanism.toUpperCase(Locale.ROOT)));
    }
    return mechanism;
  }

  boolean authenticates() {
    return !type.isEmpty();
  }

  boolean byCertificate() {
    return type.equals(CERTIFICATE);
  }

  /** The User Operator makes passwords for SCRAM-SHA-512 alone. */
  String userType() {
    if (!byCertificate() && !type.equals("scram-sha-512")) {
      throw OperationException.invalid(
          "connectors: kafka: sasl.mechanism: \"%s\": a KafkaUser has SCRAM-SHA-512 or a certificate"
              .formatted(type.toUpperCase(Locale.ROOT)));
    }
    return type;
  }
}
