package io.cellmesh.operations.mesh.joining;

import io.cellmesh.deployment.DataCenter;
import io.cellmesh.topics.Consumers;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;

/** Whether a peer's log may lose what comes behind a seed before it has been read. */
final class LogRetention {
  private static final String UNLIMITED = "-1";

  private LogRetention() {}

  /** What to do about it, with the commands; empty if it is kept. */
  static Optional<String> warning(DataCenter peer) throws InterruptedException {
    var log = peer.topology().topics().log();
    var resource = new ConfigResource(ConfigResource.Type.TOPIC, log);
    try (var admin = Consumers.admin(peer.kafka())) {
      var config = admin.describeConfigs(List.of(resource)).all().get().get(resource);
      return warning(
          peer,
          config.get(TopicConfig.RETENTION_MS_CONFIG).value(),
          config.get(TopicConfig.RETENTION_BYTES_CONFIG).value());
    } catch (ExecutionException e) {
      if (e.getCause() instanceof AuthorizationException) {
        return Optional.of(
            "%s of %s: how long it is kept can't be looked at; what comes behind the seed must stay until it is read"
                .formatted(log, peer.name()));
      }
      throw new KafkaException(log + ": " + e.getCause().getMessage(), e.getCause());
    }
  }

  static Optional<String> warning(DataCenter peer, String millis, String bytes) {
    if (millis.equals(UNLIMITED) && bytes.equals(UNLIMITED)) {
      return Optional.empty();
    }
    var log = peer.topology().topics().log();
    var command =
        "kafka-configs.sh --bootstrap-server %s --alter --topic %s --add-config "
            .formatted(peer.kafka().bootstrap(), log);
    return Optional.of(
        "warning: %s of %s is cut by retention (retention.ms=%s, retention.bytes=%s). What comes behind the seed must stay until it is read, or the seed is written anew. Keep it meanwhile: `%sretention.ms=-1,retention.bytes=-1`, and afterwards: `%sretention.ms=%s,retention.bytes=%s`"
            .formatted(log, peer.name(), millis, bytes, command, command, millis, bytes));
  }
}
