package io.cellmesh.stack.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class AwaitedTest {
  private static final UUID ROW = new UUID(1, 1);
  private static final UUID OTHER = new UUID(2, 2);

  private final Awaited cells = new Awaited();

  @Test
  void a_cell_is_waited_for_until_it_arrives() {
    cells.expect(ROW, 1);
    assertThat(cells.oldest()).isPositive();

    cells.arrived(ROW, 1);
    assertThat(cells.oldest()).isZero();
    assertThat(cells.longest()).isPositive();
  }

  @Test
  void what_arrived_before_anybody_knew_of_it_is_not_waited_for() {
    cells.arrived(ROW, 2);

    cells.expect(ROW, 1);
    cells.expect(ROW, 2);

    assertThat(cells.oldest()).isZero();
  }

  @Test
  void a_later_cell_of_its_row_does_not_stand_for_one_that_has_not_come() {
    cells.expect(ROW, 1);

    cells.arrived(ROW, 2);

    assertThat(cells.oldest()).isGreaterThan(Duration.ZERO);
  }

  @Test
  void those_that_wait_longest_come_first() {
    cells.expect(ROW, 5);
    cells.expect(OTHER, 1);
    cells.expect(ROW, 6);

    assertThat(cells.first(2))
        .containsExactly(new Awaited.Cell(ROW, 5), new Awaited.Cell(OTHER, 1));
  }
}
