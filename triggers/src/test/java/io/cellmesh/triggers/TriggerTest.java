package io.cellmesh.triggers;

import static io.cellmesh.triggers.OneProcess.AT;
import static io.cellmesh.triggers.OneProcess.row;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class TriggerTest {
  @Test
  void a_cell_whose_filter_fails_however_that_is_waits_for_its_turn_to_fail() {
    for (var filter :
        List.<Predicate<TriggeredCell>>of(
            cell -> {
              throw new IllegalStateException("of a test");
            },
            cell -> {
              throw new StackOverflowError("of a test");
            })) {
      assertThat(Trigger.named("billing").matching(filter).accepts(cell())).isTrue();
    }
    assertThat(Trigger.named("billing").matching(cell -> false).accepts(cell())).isFalse();
  }

  private static Delivery cell() {
    var record = new ConsumerRecord<>(AT.topic(), AT.partition(), 0, new byte[0], new byte[0]);
    return new Delivery(0, 3, 1, row(1), "BASE", false, 10, record);
  }
}
