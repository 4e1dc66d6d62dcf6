package io.cellmesh.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class StatisticsTest {

  @Test
  void the_median_is_the_middle_value_whatever_the_order() {
    assertThat(Statistics.median(7)).isEqualTo(7);
    assertThat(Statistics.median(9, 1, 4)).isEqualTo(4);
    assertThat(Statistics.median(9, 1, 4, 5)).isEqualTo(4.5);
  }

  @Test
  void a_percentile_is_the_smallest_value_that_so_many_do_not_exceed() {
    var hundred = LongStream.rangeClosed(1, 100).map(n -> 101 - n).toArray();

    assertThat(Statistics.percentile(hundred, 50)).isEqualTo(50);
    assertThat(Statistics.percentile(hundred, 99)).isEqualTo(99);
    assertThat(Statistics.percentile(hundred, 100)).isEqualTo(100);
    assertThat(Statistics.percentile(new long[] {8, 3}, 50)).isEqualTo(3);
    assertThat(Statistics.percentile(new long[] {8, 3}, 99)).isEqualTo(8);
  }

  @Test
  void nothing_has_neither() {
    assertThatThrownBy(Statistics::median).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Statistics.percentile(new long[0], 50))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Statistics.percentile(new long[] {1}, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
