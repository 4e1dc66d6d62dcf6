package io.cellmesh.deployment;

import io.cellmesh.cell.Credentials;
import java.net.URI;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What a program says itself instead of a file; what it leaves out can't be asked for.
 *
 * @param source who said it, for messages
 * @param mysql asked when somebody signs on
 */
public record FixedAccess(
    String source,
    Optional<KafkaAccess> kafkaAccess,
    Optional<ConnectAccess> connectAccess,
    Supplier<Credentials> mysql,
    Optional<Credentials> replicationUser,
    Optional<ConnectorAccess> connectorAccess)
    implements DataCenter.Access {

  /** Without any protection, as on one machine. */
  public static FixedAccess plain(String kafka, URI connect, Credentials mysql) {
    return new FixedAccess(
        "this program",
        Optional.of(KafkaAccess.plain(kafka)),
        Optional.of(ConnectAccess.plain(connect)),
        () -> mysql,
        Optional.empty(),
        Optional.of(ConnectorAccess.plain(mysql.user(), kafka)));
  }

  @Override
  public boolean knowsKafka() {
    return kafkaAccess.isPresent();
  }

  @Override
  public KafkaAccess kafka() {
    return need("how to reach Kafka", kafkaAccess);
  }

  @Override
  public boolean knowsConnect() {
    return connectAccess.isPresent();
  }

  @Override
  public ConnectAccess connect() {
    return need("how to reach Connect", connectAccess);
  }

  @Override
  public boolean knowsMySql() {
    return true;
  }

  @Override
  public Credentials reader() {
    return mysql.get();
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
