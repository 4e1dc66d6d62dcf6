package io.cellmesh.triggers;

import io.cellmesh.topics.trigger.Creation;
import io.cellmesh.topics.trigger.Definition;
import io.cellmesh.topics.trigger.StateKey;
import io.cellmesh.topics.trigger.StateReader;
import io.cellmesh.topics.trigger.StateRecord;
import io.cellmesh.topics.trigger.StateValue;
import io.cellmesh.topics.trigger.TriggerPartition;
import io.cellmesh.topics.trigger.TriggerStates;
import io.cellmesh.triggers.OwnedPartition.Stage;
import io.cellmesh.triggers.Transactions.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes partitions over: first the group's offset, then what the state topic held from then on, and
 * only then the first cell (design note 23 says why in this order).
 */
final class PartitionTakeover {
  private static final Logger LOG = LoggerFactory.getLogger(PartitionTakeover.class);
  private static final Duration ANSWER = Duration.ofMillis(500);

  private final TriggerOptions options;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final OwnedPartitions owned;
  private final SharedDispatcher dispatcher;
  private final StateReader stateReader;
  private final TriggerStates states;
  private final StateWriter writer;

  PartitionTakeover(
      TriggerOptions options,
      KafkaConsumer<byte[], byte[]> consumer,
      OwnedPartitions owned,
      SharedDispatcher dispatcher,
      StateReader stateReader,
      TriggerStates states,
      StateWriter writer) {
    this.options = options;
    this.consumer = consumer;
    this.owned = owned;
    this.dispatcher = dispatcher;
    this.stateReader = stateReader;
    this.states = states;
    this.writer = writer;
  }

  /** Goes on with those that are not read yet. */
  void goOn() throws InterruptedException {
    var unasked = owned.at(Stage.OFFSET);
    if (!unasked.isEmpty()) {
      askForOffsets(unasked);
    }
    for (var partition : owned.at(Stage.STATE)) {
      if (stateReader.hasReached(partition.at.partition())) {
        begin(partition);
      }
    }
  }

  /** The answer waits for open transactions of whoever had them before, so it may not come yet. */
  private void askForOffsets(List<OwnedPartition> partitions) throws InterruptedException {
    try {
      var committed =
          consumer.committed(
              partitions.stream().map(partition -> partition.at).collect(Collectors.toSet()),
              ANSWER);
      stateReader.follow(
          partitions.stream()
              .map(partition -> partition.at.partition())
              .collect(Collectors.toSet()));
      for (var partition : partitions) {
        partition.committed = committed.get(partition.at);
        partition.stage = Stage.STATE;
      }
    } catch (TimeoutException e) {
      LOG.debug("No offsets of {} yet", options.group(), e);
    }
  }

  private void begin(OwnedPartition partition) throws InterruptedException {
    var known = states.partition(options.name(), partition.at.partition());
    var refusal = refusal(known.creation(), options.definition());
    if (refusal.isPresent()) {
      owned.halt(partition, refusal.get());
      return;
    }
    var creation = known.creation().get();
    var commit = new Commit(creation.begin(), "");
    if (partition.committed != null) {
      commit = new Commit(partition.committed.offset(), partition.committed.metadata());
    } else if (creation.begun()) {
      owned.halt(
          partition,
          "Kafka has forgotten the trigger's place, as it does when a group has no member for offsets.retention.minutes: "
              + owned.advice("a time before it stopped"));
      return;
    } else if (!writeBegun(partition, commit, creation.asBegun())) {
      partition.again();
      return;
    }
    var from = commit;
    partition.markers.putAll(known.parked());
    dispatcher.with(
        (core, now) -> {
          core.assign(partition.at, assignment(from, known));
          return null;
        });
    partition.stage = Stage.RUNNING;
    consumer.seek(partition.at, from.offset());
    owned.resume(partition);
    LOG.info("{} goes on with {} at offset {}", options.name(), partition.at, from.offset());
  }

  /**
   * Why this process can't go on with a partition; empty if it can. While it was no member of the
   * group, somebody may have deleted the trigger, and created another one of its name.
   *
   * @param own the definition that this process was started with
   */
  static Optional<String> refusal(Optional<Creation> creation, Definition own) {
    if (creation.isEmpty()) {
      return Optional.of(
          "the trigger was deleted: end this process; one that is started creates it again");
    }
    return creation
        .get()
        .differences(own)
        .map(
            differences ->
                "the trigger was deleted and created anew: end this process, and start it as that one is (%s)"
                    .formatted(differences));
  }

  private boolean writeBegun(OwnedPartition partition, Commit commit, StateValue begun)
      throws InterruptedException {
    var record = StateRecord.of(new StateKey.OfCreation(options.name()), begun);
    return writer.write(List.of(record), partition.at.partition(), Map.of(partition.at, commit))
        == Outcome.COMMITTED;
  }

  private static Assignment assignment(Commit from, TriggerPartition known) {
    return new Assignment(
        from.offset(), from.metadata(), known.parked().keySet(), known.attempts());
  }
}
