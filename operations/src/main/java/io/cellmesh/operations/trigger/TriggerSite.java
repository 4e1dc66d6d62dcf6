package io.cellmesh.operations.trigger;

import io.cellmesh.cell.Topics;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.operations.OperationException;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.trigger.StateReader;
import io.cellmesh.topics.trigger.TriggerName;
import io.cellmesh.topics.trigger.TriggerPartition;
import io.cellmesh.topics.trigger.TriggerStates;
import java.util.List;
import java.util.UUID;

/** Where the triggers of one data centre live. */
public record TriggerSite(DataCenter dc) {

  Topics topics() {
    return dc.topology().topics();
  }

  KafkaAccess kafka() {
    return dc.kafka();
  }

  String group(TriggerName name) {
    return name.group(topics().instance());
  }

  int partitions() {
    return dc.topology().shards().partitions();
  }

  int partitionOf(UUID row) {
    var shards = dc.topology().shards();
    return shards.partitionOf(shards.of(row));
  }

  /** Whether the instance has had triggers: one that is older than them lacks their topic. */
  boolean hasState() {
    try (var client = Consumers.open(kafka())) {
      return client.listTopics().containsKey(topics().triggerState());
    }
  }

  /** What is known of all triggers, or of one, in every partition as it is now. */
  TriggerStates read(TriggerStates states) throws InterruptedException {
    try (var reader =
        new StateReader(kafka(), topics().triggerState(), StateReader.PATIENCE, states::accept)) {
      reader.readAll();
    }
    return states;
  }

  /**
   * What each partition knows of a trigger.
   *
   * @throws OperationException if there is none
   */
  List<TriggerPartition> need(TriggerName name) throws InterruptedException {
    if (!hasState()) {
      throw missing(name);
    }
    return whole(name, read(TriggerStates.of(name)).partitions(name, partitions()));
  }

  /**
   * @throws OperationException if not every partition knows of the trigger
   */
  List<TriggerPartition> whole(TriggerName name, List<TriggerPartition> partitions) {
    long know = partitions.stream().filter(p -> p.creation().isPresent()).count();
    if (know == 0) {
      throw missing(name);
    }
    if (know < partitions.size()) {
      throw OperationException.failed(
          "%d of %d partitions of %s know trigger %s, which is written to all at once: the topic was changed by hand; `cellmesh trigger delete %s` removes what is left of it"
              .formatted(know, partitions.size(), topics().triggerState(), name, name));
    }
    return partitions;
  }

  OperationException missing(TriggerName name) {
    return OperationException.failed(
        "there is no trigger %s in %s; `cellmesh trigger ls` shows those that are, `cellmesh trigger create` makes one"
            .formatted(name, dc.name()));
  }
}
