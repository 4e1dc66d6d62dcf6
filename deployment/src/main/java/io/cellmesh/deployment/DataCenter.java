package io.cellmesh.deployment;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * One data centre of an instance. What it is asked for and its deployment does not say, or can't be
 * resolved, is a {@link DeploymentException} of the asking: who only reads needs no operator's
 * secret.
 *
 * @param topology the shard map, with the roles as they were when the deployment was opened
 * @param store where the map is kept
 */
public record DataCenter(String name, Topology topology, TopologyStore store, Access access) {
  public DataCenter {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(topology, "topology");
    Objects.requireNonNull(store, "store");
    Objects.requireNonNull(access, "access");
  }

  /** How to reach the servers of a data centre and to sign on to them. */
  public interface Access {
    /** Whether it says how to reach Kafka. */
    boolean knowsKafka();

    KafkaAccess kafka();

    /** Whether it says how to reach Connect. */
    boolean knowsConnect();

    ConnectAccess connect();

    /** Whether it says how anybody signs on to MySQL. */
    boolean knowsMySql();

    Credentials reader();

    Credentials operator();

    Credentials replication();

    ConnectorAccess connectors();

    /** Where Strimzi owns the connectors; empty where it does not. */
    default Optional<StrimziCluster> strimzi() {
      return Optional.empty();
    }

    /** How its links read, and who may read here over HTTP. */
    default MeshAccess mesh() {
      return MeshAccess.USUAL;
    }

    /** The certificate for HTTP between data centres, and the CAs that it believes. */
    default Optional<MeshTls> meshTls() {
      return Optional.empty();
    }

    /** Where the workers answer; none where nobody says so. */
    default List<URI> workers() {
      return List.of();
    }
  }

  /** The brokers. */
  public KafkaAccess kafka() {
    return access.kafka();
  }

  /** Whether the deployment says how to reach the brokers. */
  public boolean knowsKafka() {
    return access.knowsKafka();
  }

  /** A Connect worker. */
  public ConnectAccess connect() {
    return access.connect();
  }

  /** Whether the deployment says how to reach a Connect worker. */
  public boolean knowsConnect() {
    return access.knowsConnect();
  }

  /** Whether the deployment says how anybody signs on to MySQL. */
  public boolean knowsMySql() {
    return access.knowsMySql();
  }

  /** How whoever reads cells signs on to MySQL. */
  public Credentials reader() {
    return access.reader();
  }

  /** How an operator signs on to MySQL, who may look at everything and change roles. */
  public Credentials operator() {
    return access.operator();
  }

  /** How minions sign on to their master. */
  public Credentials replication() {
    return access.replication();
  }

  /** How connectors sign on, to MySQL and to Kafka, as they are told. */
  public ConnectorAccess connectors() {
    return access.connectors();
  }

  /** Where Strimzi owns the connectors; empty where it does not. */
  public Optional<StrimziCluster> strimzi() {
    return access.strimzi();
  }

  /** Where the workers answer: {@code http://host:port} of each that the deployment names. */
  public List<URI> workers() {
    return access.workers();
  }

  /** How its links read its peers, and which of those may read here over HTTP. */
  public MeshAccess mesh() {
    return access.mesh();
  }

  /**
   * Its own certificate and the CAs that it believes, for both ends of HTTP between data centres;
   * empty in the clear, which stays on this machine.
   */
  public Optional<MeshTls> meshTls() {
    return access.meshTls();
  }

  /** The same with another map. */
  public DataCenter with(Topology other) {
    return new DataCenter(name, other, store, access);
  }

  /** The same, reached in another way. */
  public DataCenter with(Access other) {
    return new DataCenter(name, topology, store, other);
  }

  /** The same with its map kept elsewhere. */
  public DataCenter with(TopologyStore other) {
    return new DataCenter(name, topology, other, access);
  }

  boolean has(Server server) {
    return topology.clusters().stream()
        .anyMatch(
            cluster ->
                cluster.master().address().equals(server.address())
                    || cluster.minions().stream()
                        .anyMatch(minion -> minion.address().equals(server.address())));
  }
}
