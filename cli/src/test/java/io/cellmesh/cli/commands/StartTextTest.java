package io.cellmesh.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cli.Captured;
import io.cellmesh.operations.OperationException;
import io.cellmesh.topics.trigger.Start;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where triggers begin and are rewound to, as it is typed. */
class StartTextTest {

  @Test
  void a_place_is_a_word_a_time_or_offsets() {
    assertThat(parse("beginning")).isEqualTo(new Start.Beginning());
    assertThat(parse("now")).isEqualTo(new Start.Now());
    assertThat(parse("2026-01-31T13:00:00+01:00"))
        .isEqualTo(new Start.Time(Instant.parse("2026-01-31T12:00:00Z")));
    assertThat(parse("7")).isEqualTo(new Start.Offsets(List.of(7L)));
    assertThat(parse("120,0,98")).isEqualTo(new Start.Offsets(List.of(120L, 0L, 98L)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "earliest", "-1", "1,", "2026-01-31", "12345678901234567890"})
  void anything_else_is_refused_with_option_value_and_rule(String text) {
    assertThatThrownBy(() -> parse(text))
        .isInstanceOf(OperationException.class)
        .hasMessageStartingWith("--from = \"" + text + "\": must be beginning, a time such as ");
  }

  @Test
  void what_no_trigger_can_be_called_is_said_before_anything_is_asked_of_kafka() {
    var run = Captured.run("trigger", "create", "a b", "--from", "now");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .startsWith("error: trigger = \"a b\": must be 1 to 64 letters (a to z, A to Z), digits");
  }

  @Test
  void a_replay_is_of_one_row_or_of_all() {
    var run = Captured.run("trigger", "parked", "replay", "billing");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).isEqualTo("error: say either a ROW or --all\n");
    assertThat(Captured.run("trigger", "parked", "discard", "billing", "x", "--yes").err())
        .isEqualTo("error: row_key = \"x\": must be a UUID\n");
  }

  private static Start parse(String text) {
    return StartText.parse("--from", "beginning", text);
  }
}
