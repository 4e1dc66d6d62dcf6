package io.cellmesh.topics.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class DefinitionTest {
  private final Definition definition =
      new Definition("trips.log", List.of("B", "A", "B"), Order.SHARD, new Start.Now());

  @Test
  void the_same_columns_in_another_order_are_the_same_definition() {
    var same = new Definition("trips.log", List.of("A", "B"), Order.SHARD, new Start.Now());

    assertThat(same.digest()).isEqualTo(definition.digest());
    assertThat(definition.differences(same)).isEmpty();
  }

  @Test
  void another_one_has_another_digest_and_says_what_differs() {
    var other =
        new Definition(
            "trips.trigger.A",
            List.of(),
            Order.ROW,
            new Start.Time(Instant.parse("2026-01-31T12:00:00Z")));

    assertThat(other.digest()).isNotEqualTo(definition.digest());
    assertThat(definition.differences(other))
        .containsExactly(
            "topic = trips.log, asked for was trips.trigger.A",
            "columns = A, B, asked for was all",
            "order = shard, asked for was row",
            "start = now, asked for was 2026-01-31T12:00:00Z");
  }

  @Test
  void one_that_a_later_version_created_with_more_is_another_though_nothing_is_seen_to_differ() {
    assertThat(Creation.of(definition, 17, Instant.EPOCH).differences(definition)).isEmpty();
    assertThat(new Creation(definition, 17, Instant.EPOCH, "0f", false).differences(definition))
        .contains("a later version of cellmesh created it with more");
  }

  @Test
  void without_columns_it_has_all() {
    assertThat(definition.has("A")).isTrue();
    assertThat(definition.has("C")).isFalse();
    assertThat(new Definition("t", List.of(), Order.ROW, new Start.Now()).has("C")).isTrue();
  }
}
