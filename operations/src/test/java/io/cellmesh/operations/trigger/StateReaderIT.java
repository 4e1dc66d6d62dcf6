package io.cellmesh.operations.trigger;

import static io.cellmesh.operations.trigger.TriggerInstance.NAME;
import static io.cellmesh.operations.trigger.TriggerInstance.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.topics.trigger.Order;
import io.cellmesh.topics.trigger.Pause;
import io.cellmesh.topics.trigger.Start;
import io.cellmesh.topics.trigger.StateKey;
import io.cellmesh.topics.trigger.StateReader;
import io.cellmesh.topics.trigger.StateRecord;
import io.cellmesh.topics.trigger.TriggerName;
import io.cellmesh.topics.trigger.TriggerStates;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** What is read of the state topic beside transactions. */
class StateReaderIT {
  @Test
  void a_reader_waits_for_a_dead_transaction_and_misses_nothing_that_is_committed_behind_it()
      throws Exception {
    var instance = TriggerInstance.create("dead");
    instance.create(NAME, Order.SHARD, new Start.Now());
    var first = new TopicPartition("dead.trigger-state", 0);
    try (var dead = TriggerInstance.transaction("dead-process", 15_000)) {
      dead.initTransactions();
      dead.beginTransaction();
      var pause = StateRecord.of(new StateKey.OfPause(NAME), new Pause("dead", NOW));
      dead.send(pause.in(first.topic(), 0)).get();
      instance.tell(0, StateRecord.of(new StateKey.OfPause(NAME), pauseBy("ann")));
      assertThat(end(instance, first, IsolationLevel.READ_COMMITTED))
          .as("what is committed stands behind the last stable offset")
          .isLessThan(end(instance, first, IsolationLevel.READ_UNCOMMITTED) - 1);

      try (var hasty =
          new StateReader(
              instance.site().kafka(), first.topic(), Duration.ofMillis(300), record -> {})) {
        assertThatThrownBy(hasty::readAll)
            .isInstanceOf(KafkaException.class)
            .hasMessageContaining("dead.trigger-state-0: read up to offset")
            .hasMessageContaining("a transaction that is open");
      }
      assertThat(instance.need(NAME).get(0).pause()).hasValue(pauseBy("ann"));
    }
  }

  @Test
  void what_is_written_to_all_partitions_meanwhile_is_read_of_all() throws Exception {
    var instance = TriggerInstance.create("meanwhile");
    instance.create(NAME, Order.SHARD, new Start.Now());
    var other = new TriggerName("shipping");
    var states = TriggerStates.of(other);
    var begun = new AtomicBoolean();
    try (var reader =
        new StateReader(
            instance.site().kafka(),
            "meanwhile.trigger-state",
            StateReader.PATIENCE,
            record -> {
              if (!begun.getAndSet(true)) {
                create(instance, other);
              }
              states.accept(record);
            })) {
      reader.readAll();

      assertThat(states.partitions(other, reader.partitions()))
          .hasSize(2)
          .allMatch(partition -> partition.creation().isPresent());
    }
  }

  private static void create(TriggerInstance instance, TriggerName name) {
    try {
      instance.create(name, Order.SHARD, new Start.Now());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Pause pauseBy(String who) {
    return new Pause(who, NOW);
  }

  private static long end(
      TriggerInstance instance, TopicPartition partition, IsolationLevel isolation)
      throws Exception {
    return instance
        .admin()
        .listOffsets(Map.of(partition, OffsetSpec.latest()), new ListOffsetsOptions(isolation))
        .all()
        .get()
        .get(partition)
        .offset();
  }
}
