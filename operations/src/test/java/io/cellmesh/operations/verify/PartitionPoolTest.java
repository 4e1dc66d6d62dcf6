package io.cellmesh.operations.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PartitionPoolTest {

  @Test
  void every_number_is_worked_on_once_and_progress_counts_them_all() throws SQLException {
    var told = new ArrayList<Long>();

    var all = PartitionPool.over(1_000, told::add, PartitionPoolTest::list, List::addAll);

    assertThat(all).containsExactlyInAnyOrderElementsOf(IntStream.range(0, 1_000).boxed().toList());
    assertThat(told).isEqualTo(LongStream.rangeClosed(1, 1_000).boxed().toList());
  }

  @Test
  void at_least_two_threads_work_at_once() throws SQLException {
    var both = new CyclicBarrier(2);

    var all =
        PartitionPool.over(
            2,
            numbers -> {
              try {
                both.await(30, TimeUnit.SECONDS);
              } catch (Exception e) {
                throw new SQLException("alone", e);
              }
              return list(numbers);
            },
            List::addAll);

    assertThat(all).containsExactlyInAnyOrder(0, 1);
  }

  @Test
  void nothing_to_do_still_gives_a_result() throws SQLException {
    assertThat(PartitionPool.over(0, PartitionPoolTest::list, List::addAll)).isEmpty();
  }

  @Test
  void what_a_thread_throws_is_thrown_and_the_others_get_no_more_numbers() {
    var most = new AtomicInteger();

    assertThatThrownBy(
            () ->
                PartitionPool.over(
                    Integer.MAX_VALUE,
                    numbers -> {
                      numbers.each(
                          number -> {
                            if (number == 0) {
                              throw new SQLException("shard 0 can't be read");
                            }
                            most.accumulateAndGet(number, Math::max);
                          });
                      return list(numbers);
                    },
                    List::addAll))
        .isInstanceOf(SQLException.class)
        .hasMessage("shard 0 can't be read");
    assertThat(most).hasValueLessThan(Integer.MAX_VALUE - 1);
  }

  private static List<Integer> list(PartitionPool.Numbers numbers) throws SQLException {
    var list = new ArrayList<Integer>();
    numbers.each(list::add);
    return list;
  }
}
