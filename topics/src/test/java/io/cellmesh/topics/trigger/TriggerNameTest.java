package io.cellmesh.topics.trigger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TriggerNameTest {

  @ParameterizedTest
  @ValueSource(strings = {"billing", "Billing_2-a", "-", "0"})
  void a_name_becomes_part_of_a_group(String text) {
    assertThat(new TriggerName(text).group("trips")).isEqualTo("trips-trigger-" + text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a|b", "a.b", "ä", "a\n"})
  void another_one_is_refused_with_field_value_and_rule(String text) {
    assertThatThrownBy(() -> new TriggerName(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("trigger = \"")
        .hasMessageEndingWith("\": must be 1 to 64 letters (a to z, A to Z), digits, - and _");
  }

  @Test
  void a_name_has_64_characters_at_most_and_a_longer_one_is_shown_shortened() {
    assertThat(new TriggerName("a".repeat(64)).text()).hasSize(64);
    assertThatThrownBy(() -> new TriggerName("a".repeat(65)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new TriggerName("a".repeat(10_000)))
        .hasMessageStartingWith("trigger = \"" + "a".repeat(80) + "…\"");
  }
}
