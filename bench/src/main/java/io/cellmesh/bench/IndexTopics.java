package io.cellmesh.bench;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.index.IndexSchema;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigResource;

/** What indexes need to be there before they are built. */
final class IndexTopics {
  /** The broker notes when it has a record, so that nobody need read along to know. */
  private static final String TIMESTAMPS = "message.timestamp.type";

  private static final String APPENDED = "LogAppendTime";

  private final LogServers servers;

  IndexTopics(LogServers servers) {
    this.servers = servers;
  }

  void createUnindexed() throws InterruptedException {
    servers.createTopic(servers.topology().topics().unindexed(), LogServers.PARTITIONS);
  }

  /** Topics and tables of indexes. */
  void create(List<IndexDefinition> definitions) throws InterruptedException, SQLException {
    for (var definition : definitions) {
      servers.createTopic(
          name(definition),
          LogServers.PARTITIONS,
          Map.of("cleanup.policy", "compact", TIMESTAMPS, APPENDED));
    }
    try (var pools = new Pools(new Credentials("root", ""))) {
      for (var definition : definitions) {
        new IndexSchema(servers.topology(), definition, pools).create(made -> {});
      }
    }
  }

  String name(IndexDefinition definition) {
    return servers.topology().topics().index(definition.label());
  }

  LogTopic topic(IndexDefinition definition) {
    return new LogTopic(servers.broker(), name(definition), LogServers.PARTITIONS);
  }

  /** Has the broker note when it has the records of a topic that is there already. */
  void noteTimes(String topic) throws InterruptedException {
    var resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    var change = new AlterConfigOp(new ConfigEntry(TIMESTAMPS, APPENDED), AlterConfigOp.OpType.SET);
    try (var admin = servers.broker().admin()) {
      admin.incrementalAlterConfigs(Map.of(resource, Set.of(change))).all().get();
    } catch (ExecutionException e) {
      throw new KafkaException("the settings of " + topic + " could not be changed", e.getCause());
    }
  }
}
