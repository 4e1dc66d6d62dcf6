package io.cellmesh.operations.mesh;

import io.cellmesh.cell.LinkHold;
import io.cellmesh.cell.proof.BucketKey;
import io.cellmesh.deployment.CheckpointTopic;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.OperationListener;
import io.cellmesh.topics.Consumers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Removes a data centre that is given up from the mesh: what the others remember of their links to
 * it and of its links to them. Its cells stay, and so does that it is given up, so that a link
 * which still runs does not begin anew.
 *
 * @param loss of it
 */
public record DataCenterRemoval(DataCenterLoss loss) {
  /**
   * Removes it, once all others have the same of its cells. What is gone already is left alone.
   *
   * @throws OperationException if it is not given up, or one lacks a cell that another one has
   */
  public void run(OperationListener listener) throws Exception {
    if (!loss.isGivenUp()) {
      throw OperationException.refused(
          "%s is not given up; `cellmesh dc lost %s --yes` first".formatted(lost(), lost()));
    }
    listener.run("all others have the same cells of %s".formatted(lost()), step -> requireSame());
    for (var dc : loss.survivors()) {
      listener.run("%s forgets its link to %s".formatted(dc.name(), lost()), step -> forget(dc));
    }
  }

  /** Says what has to be taken out of the deployment's file, and where to start again. */
  public List<String> remains() {
    var names = loss.survivors().stream().map(DataCenter::name).collect(Collectors.joining(", "));
    return List.of(
        "take out of cellmesh.yaml: the entry of %s under `datacenters`, and %s under `mesh.peers` and `mesh.serve.allow` of %s"
            .formatted(lost(), lost(), names),
        "then start herb-replicator again in " + names);
  }

  private String lost() {
    return loss.lost();
  }

  private void requireSame() throws InterruptedException {
    var relay = Relay.plan(loss.survivors(), lost());
    if (!relay.isDone()) {
      throw OperationException.refused(
          "%s; `cellmesh dc lost %s --yes` relays what can be"
              .formatted(String.join("; ", relay.findings()), lost()));
    }
  }

  private void forget(DataCenter dc) throws InterruptedException {
    forgetPlaces(dc);
    deleteGroup(dc);
    forgetBuckets(dc);
  }

  private void forgetPlaces(DataCenter dc) throws InterruptedException {
    try (var client = Consumers.open(dc.kafka())) {
      var topic = new MeshPlaceTopic(dc);
      var gone = new HashMap<String, String>();
      topic.read(client).keySet().stream()
          .filter(key -> isOf(key) && !LinkHold.isKey(key))
          .forEach(key -> gone.put(key, null));
      topic.write(gone);
    }
  }

  private boolean isOf(String key) {
    return key.equals(lost()) || key.startsWith(lost() + ":");
  }

  /** The group in which the lost one's link has read here. */
  private void deleteGroup(DataCenter dc) throws InterruptedException {
    var group = LinkPlace.group(dc.topology().instance(), lost());
    try (var admin = Consumers.admin(dc.kafka())) {
      admin.deleteConsumerGroups(Set.of(group)).all().get();
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof GroupIdNotFoundException)) {
        throw new KafkaException("group " + group + ": " + e.getCause().getMessage(), e.getCause());
      }
    }
  }

  private void forgetBuckets(DataCenter dc) throws InterruptedException {
    var keys = new HashMap<String, Integer>();
    var shards = dc.topology().shards();
    try (var checkpoints = new CheckpointTopic(dc.kafka(), dc.topology())) {
      checkpoints.readToEnd(
          (key, value) ->
              BucketKey.parse(new String(key, StandardCharsets.UTF_8))
                  .filter(bucket -> value != null && bucket.cells().origin().equals(lost()))
                  .ifPresent(
                      bucket ->
                          keys.put(bucket.text(), shards.partitionOf(bucket.cells().shard()))));
    }
    remove(dc, keys);
  }

  /**
   * @param keys with their partitions
   */
  private static void remove(DataCenter dc, Map<String, Integer> keys) throws InterruptedException {
    var topic = dc.topology().topics().checkpoint();
    var settings = dc.kafka().client();
    settings.put("acks", "all");
    try (var producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      var sent = new ArrayList<Future<RecordMetadata>>();
      for (var key : new TreeSet<>(keys.keySet())) {
        var bytes = key.getBytes(StandardCharsets.UTF_8);
        sent.add(producer.send(new ProducerRecord<>(topic, keys.get(key), bytes, null)));
      }
      for (var one : sent) {
        one.get();
      }
    } catch (ExecutionException e) {
      throw new KafkaException(topic + ": " + e.getCause().getMessage(), e.getCause());
    }
  }
}
