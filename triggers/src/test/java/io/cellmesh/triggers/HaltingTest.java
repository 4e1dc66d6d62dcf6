package io.cellmesh.triggers;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.topics.trigger.Order;
import io.cellmesh.topics.trigger.Reason;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HaltingTest {
  private final Halting byRow = new Halting(5, Order.ROW, 64);
  private final Halting byShard = new Halting(5, Order.SHARD, 64);

  @Test
  void nothing_is_concluded_of_few_rows() {
    assertThat(byRow.decide(List.of(tally(4, 4, 4)))).isEmpty();
    assertThat(byRow.decide(List.of())).isEmpty();
  }

  @Test
  void it_halts_where_half_of_the_rows_fail_over_all_members() {
    assertThat(byRow.decide(List.of(tally(3, 3, 3), tally(3, 0, 3)))).contains("down");
    assertThat(byRow.decide(List.of(tally(3, 3, 3), tally(4, 0, 4)))).isEmpty();
  }

  @Test
  void in_order_by_shard_the_rows_of_one_shard_are_not_enough() {
    assertThat(byShard.decide(List.of(tally(9, 9, 1)))).isEmpty();
    assertThat(byShard.decide(List.of(tally(9, 9, 2), tally(9, 9, 3)))).contains("down");
    assertThat(byRow.decide(List.of(tally(9, 9, 1)))).contains("down");
  }

  @Test
  void where_there_are_few_shards_all_of_them_are_enough() {
    assertThat(new Halting(5, Order.SHARD, 2).decide(List.of(tally(9, 9, 2)))).contains("down");
  }

  @Test
  void the_reason_is_the_commonest_of_all_members() {
    var members =
        List.of(
            new Tally(9, 9, 9, 9, 9, 9, reason("refused"), 4),
            new Tally(9, 9, 9, 9, 9, 9, reason("slow"), 3),
            new Tally(9, 9, 9, 9, 9, 9, reason("slow"), 3));

    assertThat(byRow.decide(members)).contains("slow");
  }

  private static Optional<Reason> reason(String words) {
    return Optional.of(Reason.of(words));
  }

  private static Tally tally(int rows, int failed, int shards) {
    return new Tally(
        rows, failed, rows, failed, shards, Math.min(failed, shards), reason("down"), failed);
  }
}
