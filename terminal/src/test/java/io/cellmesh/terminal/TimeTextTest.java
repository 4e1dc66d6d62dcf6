package io.cellmesh.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.operations.OperationException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeTextTest {
  @ParameterizedTest
  @CsvSource({
    "500ms, PT0.5S",
    "10s, PT10S",
    "5m, PT5M",
    "2h, PT2H",
    "30d, PT720H",
    "1500ms, PT1.5S"
  })
  void a_time_has_a_unit_and_is_written_as_it_is_read(String text, Duration time) {
    assertThat(TimeText.parse("--age", text)).isEqualTo(time);
    assertThat(TimeText.of(time)).isEqualTo(text);
  }

  @Test
  void the_largest_unit_without_a_fraction_is_written() {
    assertThat(TimeText.of(Duration.ofSeconds(60))).isEqualTo("1m");
    assertThat(TimeText.of(Duration.ofHours(24))).isEqualTo("1d");
    assertThat(TimeText.of(Duration.ZERO)).isEqualTo("0ms");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "10", "s", "-1s", "1.5s", "10 s", "10sec", "1234567890123s", "PT10S"})
  void what_is_no_time_is_refused_with_its_option(String text) {
    assertThatThrownBy(() -> TimeText.parse("--age", text))
        .isInstanceOf(OperationException.class)
        .hasMessage(
            "--age = \"%s\": must be a number with its unit, such as 500ms, 10s, 5m, 2h or 30d"
                .formatted(text));
  }
}
