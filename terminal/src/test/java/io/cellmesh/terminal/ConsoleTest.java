package io.cellmesh.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConsoleTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Console console = new Console(stream(out), stream(err), Terminal.detect());

  @Test
  void nothing_that_a_terminal_obeys_gets_through_but_styles_and_line_feeds() {
    console.line(Style.DIM.on("a\u001b]0;title\u0007b") + "\nc\u009b2J\r");
    assertThat(text(out))
        .isEqualTo("\u001b[2ma\\u001b]0;title\\u0007b\u001b[0m\nc\\u009b2J\\u000d\n");
  }

  @Test
  void remarks_errors_and_documents_are_no_way_around() {
    console.note("\u001b[2J");
    console.error("\u202e");
    console.json(Map.of("\u009b", "\u007f"));
    assertThat(text(err)).contains("\\u001b[2J").contains("error: ").contains("\\u202e");
    assertThat(text(out)).contains("\"\\u009b\" : \"\\u007f\"");
  }

  private static String text(ByteArrayOutputStream stream) {
    return stream.toString(StandardCharsets.UTF_8);
  }

  private static PrintStream stream(ByteArrayOutputStream bytes) {
    return new PrintStream(bytes, true, StandardCharsets.UTF_8);
  }
}
