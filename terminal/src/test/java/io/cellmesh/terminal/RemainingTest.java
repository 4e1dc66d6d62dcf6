package io.cellmesh.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RemainingTest {
  @Test
  void itIsToldAsAPersonWouldTellIt() {
    assertThat(Remaining.text(100, 10)).isEqualTo(", 10 s left");
    assertThat(Remaining.text(1, 10)).isEqualTo(", 1 s left");
    assertThat(Remaining.text(1850, 10)).isEqualTo(", 3 min 05 s left");
    assertThat(Remaining.text(75_000, 10)).isEqualTo(", 2 h 05 min left");
  }

  @Test
  void nothingIsSaidOfWhatIsDoneOrNotKnown() {
    assertThat(Remaining.text(0, 10)).isEmpty();
    assertThat(Remaining.text(10, 0)).isEmpty();
  }
}
