package io.cellmesh.operations.log;

import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.operations.OperationException;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.LogShape;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** Deletes what the log holds, and what the topics of columns beside it do. */
final class LogDeletion implements OldLog {
  private final KafkaAccess kafka;
  private final Topology topology;
  private final LogShape shape;
  private final List<String> triggers;

  /**
   * Finds what some connectors have written.
   *
   * @throws OperationException if they write logs of both shapes
   */
  static OldLog of(DataCenter site, List<SourceConnector> connectors) {
    var shapes = connectors.stream().map(SourceConnector::shape).distinct().toList();
    if (shapes.size() > 1) {
      throw OperationException.invalid(
          "the clusters' connectors write logs of both shapes: say which with --shard-topics");
    }
    var triggers =
        connectors.stream().flatMap(source -> source.triggers().stream()).distinct().toList();
    return new LogDeletion(site.kafka(), site.topology(), shapes.get(0), triggers);
  }

  /**
   * @param triggers columns that the sources write apart; a topic that is not there yet is none to
   *     delete from
   */
  private LogDeletion(KafkaAccess kafka, Topology topology, LogShape shape, List<String> triggers) {
    this.kafka = kafka;
    this.topology = topology;
    this.shape = shape;
    this.triggers = List.copyOf(triggers);
  }

  @Override
  public long retained() throws InterruptedException {
    try (var admin = Consumers.admin(kafka)) {
      return total(offsets(admin, OffsetSpec.latest()))
          - total(offsets(admin, OffsetSpec.earliest()));
    }
  }

  @Override
  public Map<TopicPartition, Long> ends() throws InterruptedException {
    try (var admin = Consumers.admin(kafka)) {
      return offsets(admin, OffsetSpec.latest());
    }
  }

  @Override
  public void delete(Map<TopicPartition, Long> ends) throws InterruptedException {
    try (var admin = Consumers.admin(kafka)) {
      var deletions = new HashMap<TopicPartition, RecordsToDelete>();
      ends.forEach((at, end) -> deletions.put(at, RecordsToDelete.beforeOffset(end)));
      admin.deleteRecords(deletions).all().get();
    } catch (ExecutionException e) {
      throw failed(e);
    }
  }

  private Map<TopicPartition, Long> offsets(Admin admin, OffsetSpec which)
      throws InterruptedException {
    try {
      var wanted = new HashMap<TopicPartition, OffsetSpec>();
      partitions(admin).forEach(partition -> wanted.put(partition, which));
      var offsets = new HashMap<TopicPartition, Long>();
      admin.listOffsets(wanted).all().get().forEach((at, info) -> offsets.put(at, info.offset()));
      return offsets;
    } catch (ExecutionException e) {
      throw failed(e);
    }
  }

  private List<TopicPartition> partitions(Admin admin)
      throws InterruptedException, ExecutionException {
    var partitions = new ArrayList<>(shape.all(topology));
    var existing = triggers.isEmpty() ? Set.<String>of() : admin.listTopics().names().get();
    triggers.stream()
        .map(topology.topics()::trigger)
        .filter(existing::contains)
        .flatMap(
            topic ->
                IntStream.range(0, topology.shards().partitions())
                    .mapToObj(partition -> new TopicPartition(topic, partition)))
        .forEach(partitions::add);
    return partitions;
  }

  private static long total(Map<TopicPartition, Long> offsets) {
    return offsets.values().stream().mapToLong(Long::longValue).sum();
  }

  private static KafkaException failed(ExecutionException e) {
    return new KafkaException("the log: " + e.getCause().getMessage(), e.getCause());
  }
}
