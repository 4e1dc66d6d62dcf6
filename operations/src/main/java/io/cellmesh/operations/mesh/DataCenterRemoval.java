package io.cellmesh.operations.mesh;

import io.cellmesh.cell.InstanceNames;
import io.cellmesh.cell.LinkHold;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.OperationListener;
import io.cellmesh.topics.Consumers;
import java.util.HashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Removes a data centre that is given up from the mesh: what the others remember of their links to
 * it and of its links to them. Its cells stay, and the checkpoints of them, and so does that it is
 * given up, so that a link which still runs does not begin anew.
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
      listener.run(
          "%s forgets its link to %s".formatted(dc.name(), lost()),
          step -> AtDataCenter.run(dc, () -> forget(dc)));
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
    deleteSeed(dc);
  }

  private void forgetPlaces(DataCenter dc) throws InterruptedException {
    try (var client = Consumers.open(dc.kafka())) {
      var topic = new MeshPlaceTopic(dc);
      var gone = new HashMap<String, String>();
      topic.read(client).keySet().stream()
          .filter(key -> MeshPlaceTopic.isOf(key, lost()) && !LinkHold.isKey(key))
          .forEach(key -> gone.put(key, null));
      topic.write(gone);
    }
  }

  /** The group in which the lost one's link has read here. */
  private void deleteGroup(DataCenter dc) throws InterruptedException {
    var group = InstanceNames.linkGroup(dc.topology().instance(), lost());
    try (var admin = Consumers.admin(dc.kafka())) {
      admin.deleteConsumerGroups(Set.of(group)).all().get();
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof GroupIdNotFoundException)) {
        throw new KafkaException("group " + group + ": " + e.getCause().getMessage(), e.getCause());
      }
    }
  }

  /** The seed of a joining that never ended. */
  private void deleteSeed(DataCenter dc) throws InterruptedException {
    var topic = dc.topology().topics().seed(lost());
    try (var admin = Consumers.admin(dc.kafka())) {
      admin.deleteTopics(Set.of(topic)).all().get();
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
        throw new KafkaException(topic + ": " + e.getCause().getMessage(), e.getCause());
      }
    }
  }
}
