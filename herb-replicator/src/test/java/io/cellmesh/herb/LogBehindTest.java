package io.cellmesh.herb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class LogBehindTest {
  private final LogBehind behind = new LogBehind();

  @Test
  void it_adds_up_what_was_not_read_of_each_partition() {
    assertThat(behind.records()).isZero();
    behind.at(0, 5, 12);
    behind.at(3, 0, 100);
    assertThat(behind.records()).isEqualTo(107);
    behind.at(3, 40, 100);
    assertThat(behind.records()).isEqualTo(67);
  }

  @Test
  void an_end_that_was_told_before_is_not_undone_by_an_older_one() {
    behind.at(0, 5, 1_000);
    behind.at(0, 10, 20);
    assertThat(behind.records()).isEqualTo(990);
    behind.at(0, 1_200, 1_200);
    assertThat(behind.records()).isZero();
  }

  @Test
  void what_somebody_else_reads_is_not_counted() {
    behind.at(0, 0, 7);
    behind.at(1, 0, 5);
    behind.leave(Set.of(0));
    assertThat(behind.records()).isEqualTo(5);
  }
}
