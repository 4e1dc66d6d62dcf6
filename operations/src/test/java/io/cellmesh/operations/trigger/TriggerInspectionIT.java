package io.cellmesh.operations.trigger;

import static io.cellmesh.operations.trigger.TriggerInstance.NAME;
import static io.cellmesh.operations.trigger.TriggerInstance.NOW;
import static io.cellmesh.operations.trigger.TriggerInstance.REASON;
import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.topics.trigger.MemberHealth;
import io.cellmesh.topics.trigger.Order;
import io.cellmesh.topics.trigger.Start;
import io.cellmesh.topics.trigger.StateKey;
import io.cellmesh.topics.trigger.StateRecord;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is said of a trigger to whoever asks. */
class TriggerInspectionIT {
  @Test
  void the_status_says_how_far_a_trigger_is_behind_who_runs_it_and_what_holds_it_up()
      throws Exception {
    var instance = TriggerInstance.create("status");
    try (var inspection = new TriggerInspection(instance.site())) {
      assertThat(inspection.all()).isEmpty();
      instance.create(NAME, Order.SHARD, new Start.Beginning());
      instance.log(0, "BASE", 2);
      instance.logAt(1, NOW.minusSeconds(3_600));
      instance.log(1, "BASE", 3);
      instance.commit(NAME, 2, 0);

      var left = inspection.of(NAME);
      assertThat(left.works()).isFalse();
      assertThat(left.findings()).containsExactly("does not run");
      assertThat(left.lagCells()).isEqualTo(4);
      assertThat(left.partitions().get(0).lag()).as("at the end").isZero();
      assertThat(left.lag()).isBetween(Duration.ofSeconds(3_600), Duration.ofSeconds(3_600 + 600));

      try (var member = instance.member(NAME)) {
        var id = member.groupMetadata().memberId();
        instance.tell(0, StateRecord.of(new StateKey.OfHealth(NAME, id), halted()));
        instance.tell(0, StateRecord.of(new StateKey.OfHealth(NAME, "gone"), halted()));
        var halted = inspection.all().get(0);
        assertThat(halted.members()).hasSize(1);
        assertThat(halted.members().get(0).partitions()).containsExactly(0, 1);
        assertThat(halted.findings())
            .containsExactly(id + " is halted: java.io.IOException: no way");
      }

      var begun = instance.need(NAME).get(1).creation().orElseThrow().asBegun();
      instance.tell(1, StateRecord.of(new StateKey.OfCreation(NAME), begun));
      instance.admin().deleteConsumerGroups(List.of("status-trigger-billing")).all().get();
      assertThat(inspection.of(NAME).findings())
          .anySatisfy(finding -> assertThat(finding).startsWith("status.log-1: its place is gone"));
      assertThat(inspection.of(NAME).partitions().get(0).finding())
          .as("which had not begun")
          .isEmpty();
    }
  }

  private static MemberHealth halted() {
    return new MemberHealth(
        NOW,
        new MemberHealth.Seen(9, 9, 2),
        new MemberHealth.Seen(9, 9, 2),
        true,
        Optional.of(REASON));
  }
}
