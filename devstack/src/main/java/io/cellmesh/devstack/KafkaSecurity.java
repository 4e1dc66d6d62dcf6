package io.cellmesh.devstack;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * How the brokers of a stack are protected: SASL over TLS, and an authorizer that allows what ACLs
 * allow. {@value #ADMIN} may do everything; its password stands in {@code auth/kafka.password} of
 * the state directory, and the settings of a client of its own in {@code auth/kafka.properties}. It
 * makes the other users, {@link KafkaBroker#addUser}.
 */
public final class KafkaSecurity {
  /**
   * Needs no ACL. Brokers sign on to each other as this, and so do workers if nothing else is said.
   */
  public static final String ADMIN = "admin";

  private static final String LOGIN = "org.apache.kafka.common.security.";

  private final Path password;
  private final Path client;
  private final Certificates certificates;

  private KafkaSecurity(Path stateDir) {
    this.password = stateDir.resolve("auth").resolve("kafka.password");
    this.client = password.resolveSibling("kafka.properties");
    this.certificates = new Certificates(Certificates.dirIn(stateDir));
  }

  /** That of a stack whose brokers are protected; empty for another. */
  public static Optional<KafkaSecurity> of(Path stateDir) {
    return Optional.of(new KafkaSecurity(stateDir)).filter(s -> Files.exists(s.password));
  }

  /** Makes up the administrator's password. The certificates are there. */
  static void make(Path stateDir) throws IOException {
    var security = new KafkaSecurity(stateDir);
    OwnersFile.directory(security.password.getParent());
    OwnersFile.write(security.password, OwnersFile.secret());
    var client = new Properties();
    client.putAll(security.administrator());
    var text = new StringWriter();
    client.store(text, null);
    OwnersFile.write(security.client, text.toString());
  }

  /** A file with the settings of a client that signs on as {@value #ADMIN}. */
  public Path clientFile() {
    return client;
  }

  /** The settings of a client that signs on as {@value #ADMIN}. */
  public Map<String, String> administrator() {
    return client("PLAIN", "plain.PlainLoginModule", ADMIN, adminPassword());
  }

  /** The settings of a client that signs on as a user that was made. */
  Map<String, String> client(String user, String secret) {
    return client("SCRAM-SHA-512", "scram.ScramLoginModule", user, secret);
  }

  private Map<String, String> client(String mechanism, String module, String user, String secret) {
    var settings = new HashMap<>(trust());
    settings.put("security.protocol", "SASL_SSL");
    settings.put("sasl.mechanism", mechanism);
    settings.put("sasl.jaas.config", login(module, user, secret) + ";");
    return settings;
  }

  /** The settings of a broker, whose listeners are SASL_SSL for clients and CONTROLLER. */
  Map<String, String> brokerSettings() {
    var admin =
        login("plain.PlainLoginModule", ADMIN, adminPassword())
            + " user_%s=\"%s\";".formatted(ADMIN, adminPassword());
    var s = new HashMap<>(trust());
    s.put("listener.security.protocol.map", "SASL_SSL:SASL_SSL,CONTROLLER:SASL_SSL");
    s.put("inter.broker.listener.name", "SASL_SSL");
    s.put("sasl.enabled.mechanisms", "PLAIN,SCRAM-SHA-512");
    s.put("sasl.mechanism.inter.broker.protocol", "PLAIN");
    s.put("sasl.mechanism.controller.protocol", "PLAIN");
    s.put("listener.name.sasl_ssl.plain.sasl.jaas.config", admin);
    s.put(
        "listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config",
        LOGIN + "scram.ScramLoginModule required;");
    s.put("listener.name.controller.sasl.enabled.mechanisms", "PLAIN");
    s.put("listener.name.controller.plain.sasl.jaas.config", admin);
    s.put("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
    s.put("super.users", "User:" + ADMIN);
    s.put("ssl.keystore.type", "PKCS12");
    s.put("ssl.keystore.location", certificates.keyStore().toString());
    s.put("ssl.keystore.password", certificates.trustStorePassword());
    return s;
  }

  private Map<String, String> trust() {
    return Map.of(
        "ssl.truststore.type", "PKCS12",
        "ssl.truststore.location", certificates.trustStore().toString(),
        "ssl.truststore.password", certificates.trustStorePassword());
  }

  private static String login(String module, String user, String secret) {
    return "%s%s required username=\"%s\" password=\"%s\"".formatted(LOGIN, module, user, secret);
  }

  private String adminPassword() {
    try {
      return Files.readString(password);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
