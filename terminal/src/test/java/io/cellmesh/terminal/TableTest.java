package io.cellmesh.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TableTest {

  @Test
  void columnsAreAlignedAndNumbersStandRight() {
    var table = Table.of("name", "rows>").row("a", 5).row("bcdef", 1200);

    assertThat(table.render())
        .containsExactly("  name   rows", "  ─────  ────", "  a         5", "  bcdef  1200");
  }

  @Test
  void stylesTakeNoRoom() {
    var table = Table.of("", "").row(Style.RED.on("x"), "1").row("yy", "2");

    assertThat(table.render().stream().map(Style::plain)).containsExactly("  x   1", "  yy  2");
  }
}
