package io.cellmesh.operations.trigger;

import static io.cellmesh.operations.trigger.TriggerInstance.NAME;
import static io.cellmesh.operations.trigger.TriggerInstance.NOW;
import static io.cellmesh.operations.trigger.TriggerInstance.REASON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.operations.OperationException;
import io.cellmesh.topics.GroupLag;
import io.cellmesh.topics.trigger.Order;
import io.cellmesh.topics.trigger.ParkedRow;
import io.cellmesh.topics.trigger.Start;
import io.cellmesh.topics.trigger.StateKey;
import io.cellmesh.topics.trigger.StateRecord;
import io.cellmesh.topics.trigger.TriggerName;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** Deleting triggers. */
class TriggerDeletionIT {
  @Test
  void a_trigger_that_runs_is_not_deleted_and_one_that_does_not_goes_with_its_place()
      throws Exception {
    var instance = TriggerInstance.create("deleted");
    instance.create(NAME, Order.SHARD, new Start.Now());
    var kept = new TriggerName("billing-2");
    instance.create(kept, Order.SHARD, new Start.Now());
    new TriggerRequests(instance.site(), NAME, "ann").pause();
    var row = instance.row(0, 0);
    long at = instance.park(NAME, row, 1);
    instance.tell(
        0,
        StateRecord.of(new StateKey.OfRow(NAME, row), new ParkedRow(at, at, at, 1, NOW, REASON)));
    var damaged = "billing|health|x".getBytes();
    instance.send(new ProducerRecord<>("deleted.trigger-state", 0, damaged, "{".getBytes()));
    var deletion = new TriggerDeletion(instance.site(), NAME);
    try (var member = instance.member(NAME)) {
      assertThatThrownBy(deletion::run)
          .as("while %s is one", member.groupMetadata().memberId())
          .isInstanceOf(OperationException.class)
          .hasMessageContaining(
              "trigger billing runs: group deleted-trigger-billing has members (1)");
      member.commitSync(Map.of(new TopicPartition("deleted.log", 0), new OffsetAndMetadata(0)));
    }

    assertThat(deletion.parked()).as("what is damaged can't be counted").isEmpty();
    deletion.run();

    assertThat(GroupLag.committed(instance.admin(), "deleted-trigger-billing")).isEmpty();
    assertThatThrownBy(() -> instance.need(NAME)).isInstanceOf(OperationException.class);
    assertThat(instance.need(kept)).as("whose name begins alike").hasSize(2);
    assertThatThrownBy(deletion::run).hasMessageContaining("there is no trigger billing");
    assertThat(deletion.parked()).isEqualTo(OptionalLong.of(0));
    assertThat(instance.create(NAME, Order.ROW, new Start.Now()).isNew()).isTrue();
    assertThat(instance.need(NAME)).allMatch(partition -> partition.parked().isEmpty());
  }
}
