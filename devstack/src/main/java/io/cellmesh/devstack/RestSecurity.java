package io.cellmesh.devstack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.PasswordAuthentication;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * How the REST interfaces of a stack's workers are protected: HTTPS, and basic authentication by
 * Kafka's own extension, which reads its one user from {@code auth/rest.properties} of the state
 * directory.
 */
public final class RestSecurity {
  /** May do everything. */
  public static final String USER = "operator";

  private final Path users;
  private final Path jaas;
  private final Certificates certificates;

  private RestSecurity(Path stateDir) {
    var dir = stateDir.resolve("auth");
    this.users = dir.resolve("rest.properties");
    this.jaas = dir.resolve("rest.jaas");
    this.certificates = new Certificates(Certificates.dirIn(stateDir));
  }

  /** That of a stack whose workers ask who they talk to; empty for another. */
  public static Optional<RestSecurity> of(Path stateDir) {
    return Optional.of(new RestSecurity(stateDir)).filter(s -> Files.exists(s.jaas));
  }

  /** Makes up the user's password. The certificates are there. */
  static void make(Path stateDir) throws IOException {
    var security = new RestSecurity(stateDir);
    OwnersFile.directory(security.jaas.getParent());
    OwnersFile.write(security.users, USER + "=" + OwnersFile.secret() + "\n");
    OwnersFile.write(
        security.jaas,
        """
        KafkaConnect {
          org.apache.kafka.connect.rest.basic.auth.extension.PropertyFileLoginModule required
            file="%s";
        };
        """
            .formatted(security.users));
  }

  /** A properties file with the password of each user. */
  public Path users() {
    return users;
  }

  /** How the user signs on. */
  public PasswordAuthentication login() {
    var passwords = new Properties();
    try (var in = Files.newBufferedReader(users)) {
      passwords.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new PasswordAuthentication(USER, passwords.getProperty(USER).toCharArray());
  }

  /** Trusts the stack's own CA alone. */
  public SSLContext trust() {
    try {
      var store =
          KeyStore.getInstance(
              certificates.trustStore().toFile(), certificates.trustStorePassword().toCharArray());
      var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      managers.init(store);
      var context = SSLContext.getInstance("TLS");
      context.init(null, managers.getTrustManagers(), null);
      return context;
    } catch (IOException | GeneralSecurityException e) {
      throw new DevStackException(certificates.trustStore() + " can't be read", e);
    }
  }

  /** Of a worker, whose listener is HTTPS. */
  Map<String, String> workerSettings() {
    var s = new HashMap<String, String>();
    s.put(
        "rest.extension.classes",
        "org.apache.kafka.connect.rest.basic.auth.extension.BasicAuthSecurityRestExtension");
    s.put("rest.advertised.listener", "https");
    for (var store :
        Map.of("keystore", certificates.keyStore(), "truststore", certificates.trustStore())
            .entrySet()) {
      var name = "listeners.https.ssl." + store.getKey();
      s.put(name + ".type", "PKCS12");
      s.put(name + ".location", store.getValue().toString());
      s.put(name + ".password", certificates.trustStorePassword());
    }
    s.put("listeners.https.ssl.key.password", certificates.trustStorePassword());
    return s;
  }

  /** Tells a worker's JVM who may sign on. */
  String jvmFlag() {
    return "-Djava.security.auth.login.config=" + jaas;
  }
}
