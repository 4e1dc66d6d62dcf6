package io.cellmesh.topics.trigger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StateKeyTest {
  private static final TriggerName NAME = new TriggerName("billing");
  private static final UUID ROW = UUID.fromString("00000000-0000-4000-8000-00000000000a");

  @Test
  void each_key_is_read_as_it_was_written() throws Exception {
    var keys =
        Map.of(
            "billing",
            new StateKey.OfCreation(NAME),
            "billing|row|" + ROW,
            new StateKey.OfRow(NAME, ROW),
            "billing|attempts|" + ROW,
            new StateKey.OfAttempts(NAME, ROW),
            "billing|pause",
            new StateKey.OfPause(NAME),
            "billing|request|r-1",
            new StateKey.OfRequest(NAME, "r-1"),
            "billing|health|consumer-1-2f",
            new StateKey.OfHealth(NAME, "consumer-1-2f"));
    for (var each : keys.entrySet()) {
      assertThat(each.getValue().text()).isEqualTo(each.getKey());
      assertThat(StateKey.parse(bytes(each.getKey()))).isEqualTo(each.getValue());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"billing|later", "billing|later|more|of|it", "billing|"})
  void a_key_of_a_later_version_is_kept_as_it_is(String text) throws Exception {
    var key = StateKey.parse(bytes(text));

    assertThat(key).isInstanceOf(StateKey.OfSomethingElse.class);
    assertThat(key.trigger()).isEqualTo(NAME);
    assertThat(key.text()).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "|row|",
        "a b",
        "billing|row|",
        "billing|row|1-1-1-1-1",
        "billing|row|00000000-0000-4000-8000-00000000000A",
        "billing|request|",
        "billing|health|a|b"
      })
  void what_is_no_key_is_refused(String text) {
    assertThatThrownBy(() -> StateKey.parse(bytes(text)))
        .isInstanceOf(FieldException.class)
        .hasMessageStartingWith("key: ");
    assertThatThrownBy(() -> StateKey.parse(null)).hasMessage("key: missing");
  }

  @Test
  void a_key_belongs_to_the_trigger_whose_whole_name_stands_in_front() {
    assertThat(StateKey.belongsTo(NAME, bytes("billing"))).isTrue();
    assertThat(StateKey.belongsTo(NAME, bytes("billing|row|damaged"))).isTrue();
    assertThat(StateKey.belongsTo(NAME, bytes("billing2"))).isFalse();
    assertThat(StateKey.belongsTo(NAME, bytes("billing-2|pause"))).isFalse();
    assertThat(StateKey.belongsTo(NAME, null)).isFalse();
  }

  @Test
  void a_part_that_would_end_the_key_early_is_not_written() {
    assertThatThrownBy(() -> new StateKey.OfRequest(NAME, "a|b"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("request = \"a|b\"");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
