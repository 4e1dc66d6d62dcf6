package io.cellmesh.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TriggerColumnsTest {

  @Test
  void every_character_that_is_legal_in_a_topic_is_taken() {
    var columns = List.of("BASE", "base", "fare-v2", "a.b", "a_c", "0", "x".repeat(64));

    assertThat(TriggerColumns.check("trigger.columns", columns)).isEqualTo(columns);
    assertThat(TriggerColumns.check("trigger.columns", List.of())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "FARE DUE", "FÄHRE", "a/b", "a:b", "a\u202eb"})
  void a_name_that_is_not_legal_in_a_topic_is_refused_with_the_setting_and_the_rule(String column) {
    assertThatThrownBy(() -> TriggerColumns.check("trigger.columns", List.of("BASE", column)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("trigger.columns: \"" + Printable.of(column) + "\" is not 1 to 64")
        .hasMessageContaining("a-z, A-Z, 0-9, ., _ and -");
  }

  @Test
  void a_name_that_no_column_can_have_is_refused_and_shortened() {
    assertThatThrownBy(() -> TriggerColumns.check("trigger.columns", List.of("x".repeat(65))))
        .hasMessageContaining("is not 1 to 64");
    assertThatThrownBy(() -> TriggerColumns.check("trigger.columns", List.of("x".repeat(9000))))
        .hasMessageContaining("x…\" is not 1 to 64")
        .hasMessageNotContaining("x".repeat(81));
  }

  @Test
  void names_that_kafka_takes_for_one_in_its_metrics_are_refused() {
    assertThatThrownBy(() -> TriggerColumns.check("trigger.columns", List.of("a.b", "c", "a_b")))
        .hasMessageContaining(
            "trigger.columns: \"a_b\" would share its topic's metrics with \"a.b\"");
  }

  @Test
  void a_column_that_is_listed_twice_is_refused() {
    assertThatThrownBy(() -> TriggerColumns.check("trigger.columns", List.of("BASE", "BASE")))
        .hasMessage("trigger.columns: \"BASE\" is listed twice");
  }

  @Test
  void the_longest_names_make_a_topic_that_kafka_takes() {
    assertThat(new Topics("i".repeat(48)).trigger("x".repeat(64))).hasSizeLessThanOrEqualTo(249);
    assertThat(new Topics("trips").trigger("BASE")).isEqualTo("trips.trigger.BASE");
  }
}
