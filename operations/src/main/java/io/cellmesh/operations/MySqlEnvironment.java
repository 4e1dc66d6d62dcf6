package io.cellmesh.operations;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.MySqlTls;
import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.ConnectAccess;
import io.cellmesh.deployment.ConnectorAccess;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.deployment.MeshAccess;
import io.cellmesh.deployment.MeshTls;
import io.cellmesh.deployment.StrimziCluster;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How commands sign on to MySQL servers, by variables of the environment: no secret stands in a
 * command line, which every process of the machine can read.
 */
public final class MySqlEnvironment {
  private static final String USER = "CELLMESH_MYSQL_USER";
  private static final String PASSWORD = "CELLMESH_MYSQL_PASSWORD";
  private static final String REPLICATION_PASSWORD = "CELLMESH_REPLICATION_PASSWORD";
  private static final String SSL_MODE = "CELLMESH_MYSQL_SSL_MODE";
  private static final String TRUST_STORE = "CELLMESH_MYSQL_TRUSTSTORE";
  private static final String TRUST_STORE_PASSWORD = "CELLMESH_MYSQL_TRUSTSTORE_PASSWORD";

  /** Names the file that holds what the variable without this would. */
  private static final String FILE = "_FILE";

  private final Map<String, String> variables;

  MySqlEnvironment(Map<String, String> variables) {
    this.variables = variables;
  }

  /** Of this process. */
  public static MySqlEnvironment ofProcess() {
    return new MySqlEnvironment(System.getenv());
  }

  /**
   * @param user who it is if no variable says so
   * @param topology of the servers: over a network the TLS mode must be said
   * @throws OperationException naming the variable that is wrong, never its value if that is a
   *     secret
   */
  public Credentials credentials(String user, Topology topology) {
    return new Credentials(variables.getOrDefault(USER, user), secret(PASSWORD), tls(topology));
  }

  /**
   * As {@link #credentials}, of a user with which minions follow their master.
   *
   * @param user who it is
   */
  public Credentials replication(String user, Topology topology) {
    return new Credentials(user, secret(REPLICATION_PASSWORD), tls(topology));
  }

  /**
   * Signs on to a deployment's servers as the user that {@code CELLMESH_MYSQL_USER} names, whatever
   * the deployment says; without that variable it stays as it is.
   */
  public Deployment over(Deployment deployment) {
    if (!variables.containsKey(USER)) {
      return deployment;
    }
    return new Deployment(
        deployment.source(),
        deployment.datacenters().stream()
            .map(dc -> dc.with(new SignedOn(dc.access(), credentials("", dc.topology()))))
            .toList());
  }

  /** Access by a user of the environment's. */
  private record SignedOn(DataCenter.Access access, Credentials user) implements DataCenter.Access {
    @Override
    public boolean knowsKafka() {
      return access.knowsKafka();
    }

    @Override
    public KafkaAccess kafka() {
      return access.kafka();
    }

    @Override
    public boolean knowsConnect() {
      return access.knowsConnect();
    }

    @Override
    public ConnectAccess connect() {
      return access.connect();
    }

    @Override
    public boolean knowsMySql() {
      return access.knowsMySql();
    }

    @Override
    public Credentials reader() {
      return user;
    }

    @Override
    public Credentials operator() {
      return user;
    }

    @Override
    public Credentials replication() {
      return access.replication();
    }

    @Override
    public ConnectorAccess connectors() {
      return access.connectors();
    }

    @Override
    public Optional<StrimziCluster> strimzi() {
      return access.strimzi();
    }

    @Override
    public MeshAccess mesh() {
      return access.mesh();
    }

    @Override
    public Optional<MeshTls> meshTls() {
      return access.meshTls();
    }

    @Override
    public List<URI> workers() {
      return access.workers();
    }
  }

  private MySqlTls tls(Topology topology) {
    var mode = mode(topology);
    try {
      return MySqlTls.of(
          mode, variables.getOrDefault(TRUST_STORE, ""), secret(TRUST_STORE_PASSWORD));
    } catch (IllegalArgumentException e) {
      throw OperationException.invalid(TRUST_STORE + ": " + e.getMessage());
    }
  }

  private MySqlTls.Mode mode(Topology topology) {
    try {
      return MySqlTls.mode(variables.getOrDefault(SSL_MODE, ""), topology);
    } catch (IllegalArgumentException e) {
      throw OperationException.invalid(SSL_MODE + ": " + e.getMessage());
    }
  }

  private String secret(String name) {
    var value = Optional.ofNullable(variables.get(name));
    var file = Optional.ofNullable(variables.get(name + FILE));
    if (value.isPresent() && file.isPresent()) {
      throw OperationException.invalid("set %s or %s, not both".formatted(name, name + FILE));
    }
    return file.map(path -> firstLine(name + FILE, Path.of(path))).or(() -> value).orElse("");
  }

  private static String firstLine(String name, Path file) {
    try (var lines = Files.lines(file)) {
      return lines.findFirst().orElse("");
    } catch (IOException e) {
      throw OperationException.invalid("%s: %s can't be read".formatted(name, file));
    }
  }
}
