package io.cellmesh.cell;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrintableTest {

  @Test
  void text_that_is_harmless_stays_as_it_is() {
    var text = "{\"BASE\":[1,\"Øst \\u001b 東京 🚗\"]}";
    assertThat(Printable.of(text)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "1b, \\u001b",
    "9b, \\u009b",
    "a, \\u000a",
    "d, \\u000d",
    "0, \\u0000",
    "7f, \\u007f",
    "202e, \\u202e",
    "200b, \\u200b",
    "2028, \\u2028",
    "d800, \\ud800",
    "e0001, \\udb40\\udc01"
  })
  void what_a_terminal_would_obey_or_hide_is_escaped(String codePoint, String shown) {
    var text = "a" + new String(Character.toChars(Integer.parseInt(codePoint, 16))) + "b";
    assertThat(Printable.of(text)).isEqualTo("a" + shown + "b");
  }

  @Test
  void layout_keeps_line_feeds_and_tabs_alone() {
    assertThat(Printable.lines("a\n\tb\r\u001b[2J")).isEqualTo("a\n\tb\\u000d\\u001b[2J");
  }

  @Test
  void json_stays_equal_json() throws InvalidCellException {
    var body = Body.ofJson("{\"\u009b2J\":\"\u202e\u007f\u2028🚗\"}");
    assertThat(Body.ofJson(Printable.of(body.toJson())).sameAs(body)).isTrue();
  }

  @Test
  void a_cells_key_and_a_refused_value_are_shown_without_control_characters() {
    var key = new CellKey(new UUID(0, 1), "BASE\u001b]0;x\u0007\n", 1);
    assertThat(key).hasToString(key.rowKey() + "/BASE\\u001b]0;x\\u0007\\u000a/1");
    assertThat(InvalidCellException.of("origin", "\u009bA\u202e", "wrong"))
        .hasMessage("origin = \"\\u009bA\\u202e\": wrong");
  }
}
