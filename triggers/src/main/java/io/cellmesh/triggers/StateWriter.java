package io.cellmesh.triggers;

import io.cellmesh.topics.trigger.StateRecord;
import io.cellmesh.triggers.Transactions.Outcome;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/** Writes to the state topic together with the group's place in a partition, or not at all. */
final class StateWriter {
  private final TriggerOptions options;
  private final OwnedPartitions owned;
  private final SharedDispatcher dispatcher;
  private final Transactions transactions;

  StateWriter(
      TriggerOptions options,
      OwnedPartitions owned,
      SharedDispatcher dispatcher,
      Transactions transactions) {
    this.options = options;
    this.owned = owned;
    this.dispatcher = dispatcher;
    this.transactions = transactions;
  }

  /** Writes records of a partition, and commits for it what is said. */
  Outcome write(List<StateRecord> state, int partition, Map<TopicPartition, Commit> commits)
      throws InterruptedException {
    return transactions.run(
        producer ->
            state.forEach(
                record -> producer.send(record.in(options.topics().triggerState(), partition))),
        commits);
  }

  /**
   * Writes records of a partition, and commits what is finished of it, so that a former owner
   * can't. Where it is not known to have succeeded, the partition is taken over anew.
   */
  boolean writeWithPlace(OwnedPartition partition, List<StateRecord> records)
      throws InterruptedException {
    var commit = dispatcher.with((core, now) -> core.place(partition.at));
    var outcome = write(records, partition.at.partition(), Map.of(partition.at, commit));
    if (outcome == Outcome.COMMITTED) {
      dispatcher.with(
          (core, now) -> {
            core.committed(partition.at, commit);
            return null;
          });
    } else {
      owned.again(partition.at);
    }
    return outcome == Outcome.COMMITTED;
  }
}
