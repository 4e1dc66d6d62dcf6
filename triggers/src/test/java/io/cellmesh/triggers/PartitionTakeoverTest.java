package io.cellmesh.triggers;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.topics.trigger.Creation;
import io.cellmesh.topics.trigger.Definition;
import io.cellmesh.topics.trigger.Order;
import io.cellmesh.topics.trigger.Start;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PartitionTakeoverTest {
  private final Definition own = definition("BASE");

  @Test
  void a_process_goes_on_with_the_trigger_that_it_was_started_for() {
    assertThat(refusal(created(own))).isEmpty();
    assertThat(refusal(created(own).map(Creation::asBegun))).isEmpty();
  }

  @Test
  void it_does_not_with_one_that_was_deleted_meanwhile() {
    assertThat(refusal(Optional.empty()).orElseThrow()).startsWith("the trigger was deleted: ");
  }

  /** Or it would pass the cells that the other one is for. */
  @Test
  void nor_with_another_one_of_its_name() {
    assertThat(refusal(created(definition("STATUS"))).orElseThrow())
        .startsWith("the trigger was deleted and created anew: ")
        .endsWith("(columns = STATUS, asked for was BASE)");
  }

  private Optional<String> refusal(Optional<Creation> creation) {
    return PartitionTakeover.refusal(creation, own);
  }

  private static Optional<Creation> created(Definition definition) {
    return Optional.of(Creation.of(definition, 7, Instant.EPOCH));
  }

  private static Definition definition(String column) {
    return new Definition("trips.log", List.of(column), Order.SHARD, new Start.Beginning());
  }
}
