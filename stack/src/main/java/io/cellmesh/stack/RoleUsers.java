package io.cellmesh.stack;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.MySqlTls;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.deployment.ConnectorAccess;
import io.cellmesh.devstack.Certificates;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.grants.Account;
import io.cellmesh.storage.grants.Grants;
import io.cellmesh.storage.grants.Role;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/**
 * The MySQL users of a stack that has one for each role, held to TLS. Their passwords are made up,
 * and stand in a file of the state directory that only its owner reads; connectors refer to them.
 */
public final class RoleUsers {
  private static final String TRUST_STORE = "truststore";

  private final Path file;
  private final Certificates certificates;

  private RoleUsers(Path stateDir, Certificates certificates) {
    this.file = stateDir.resolve("secrets").resolve("mysql.properties");
    this.certificates = certificates;
  }

  /** Those of a stack that speaks TLS; empty for another. */
  public static Optional<RoleUsers> of(Path stateDir) {
    return Certificates.of(stateDir).map(certificates -> new RoleUsers(stateDir, certificates));
  }

  /** Makes up the passwords. */
  public void writeSecrets() throws IOException {
    Files.createDirectories(file.getParent());
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    var random = new SecureRandom();
    var secrets = new Properties();
    for (var role : Role.values()) {
      var bytes = new byte[16];
      random.nextBytes(bytes);
      secrets.setProperty(role.text(), HexFormat.of().formatHex(bytes));
    }
    secrets.setProperty(TRUST_STORE, certificates.trustStorePassword());
    try (var out = Files.newBufferedWriter(file)) {
      secrets.store(out, null);
    }
  }

  /** Makes the users of a data centre, on the masters, whose tables are there. */
  public void create(Topology topology, List<IndexDefinition> indexes, Pools pools)
      throws SQLException {
    for (var role : Role.values()) {
      grant(topology, role, indexes, pools);
    }
    for (var cluster : topology.clusters()) {
      pools.run(cluster.master(), this::unlock);
    }
  }

  /**
   * How connectors sign on, for {@code cellmesh.yaml}.
   *
   * @param kafka how they sign on to Kafka
   */
  String yaml(String kafka) {
    return "{user: \"cellmesh_{role}\", password: \"%s\", ssl: VERIFY_IDENTITY, truststore: \"%s\", truststore_password: \"%s\", kafka: %s}"
        .formatted(
            reference(ConnectorAccess.ROLE),
            certificates.trustStore(),
            reference(TRUST_STORE),
            kafka);
  }

  /** How a role signs on from this machine. */
  public Credentials credentials(Role role) {
    var tls =
        MySqlTls.of(
            MySqlTls.Mode.VERIFY_IDENTITY,
            certificates.trustStore().toString(),
            certificates.trustStorePassword());
    return new Credentials(role.user(), secrets().getProperty(role.text()), tls);
  }

  private static void grant(
      Topology topology, Role role, List<IndexDefinition> indexes, Pools pools)
      throws SQLException {
    var grants = new Grants(topology, indexes);
    for (var cluster : topology.clusters()) {
      var statements = grants.of(role, account(role), cluster);
      pools.run(cluster.master(), connection -> run(connection, statements));
    }
  }

  private static void run(Connection connection, List<String> statements) throws SQLException {
    try (var statement = connection.createStatement()) {
      for (var sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private void unlock(Connection connection) throws SQLException {
    var secrets = secrets();
    for (var role : Role.values()) {
      try (var statement =
          connection.prepareStatement(
              "ALTER USER " + account(role) + " IDENTIFIED BY ? ACCOUNT UNLOCK")) {
        statement.setString(1, secrets.getProperty(role.text()));
        statement.execute();
      }
    }
  }

  private static Account account(Role role) {
    return new Account(role.user(), "127.0.0.1", true);
  }

  private String reference(String key) {
    return "${file:%s:%s}".formatted(file, key);
  }

  private Properties secrets() {
    var secrets = new Properties();
    try (var in = Files.newBufferedReader(file)) {
      secrets.load(in);
      return secrets;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
