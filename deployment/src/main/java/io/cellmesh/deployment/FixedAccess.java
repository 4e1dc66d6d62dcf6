package io.cellmesh.deployment;

import io.cellmesh.cell.Credentials;
import java.util.Optional;

/**
 * What a program says itself instead of a file; what it leaves out can't be asked for.
 *
 * @param source who said it, for messages
 */
public record FixedAccess(
    String source,
    Optional<KafkaAccess> kafkaAccess,
    Optional<ConnectAccess> connectAccess,
    Optional<Credentials> mysql,
    Optional<Credentials> replicationUser,
    Optional<ConnectorAccess> connectorAccess)
    implements DataCenter.Access {

  @Override
  public KafkaAccess kafka() {
    return need("how to reach Kafka", kafkaAccess);
  }

  @Override
  public ConnectAccess connect() {
    return need("how to reach Connect", connectAccess);
  }

  @Override
  public Credentials reader() {
    return need("a MySQL user", mysql);
  }

  @Override
  public Credentials operator() {
    return reader();
  }

  @Override
  public Credentials replication() {
    return replicationUser.orElseGet(this::operator);
  }

  @Override
  public ConnectorAccess connectors() {
    return need("how connectors sign on", connectorAccess);
  }

  private <T> T need(String what, Optional<T> said) {
    return said.orElseThrow(
        () -> new DeploymentException("%s does not say %s".formatted(source, what)));
  }
}
