package io.cellmesh.cell.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.proof.FoldedTopic.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What of a log is read to find out about a cell that another one lacks. */
class StretchTest {
  private static final int CELLS = 2_000;

  private final Random random = new Random(12);
  private final List<Entry> cells = FoldedTopic.cells(random, CELLS);

  @Test
  void where_cells_stand_that_are_absent_is_told_with_what_follows_them() {
    for (int i = 0; i < 50; i++) {
      assertTold(random.nextInt(CELLS));
    }
  }

  @Test
  void what_follows_the_last_cell_of_a_bucket_is_told_as_well() {
    int buckets = 0;
    for (int at = 0; at < CELLS; at++) {
      var gone = cells.get(at);
      int next = after(gone, cells);
      if (next < CELLS && Bucket.numberOf(cells.get(next).id()) > Bucket.numberOf(gone.id())) {
        assertTold(at);
        buckets++;
      }
    }
    assertThat(buckets).isGreaterThan(10);
  }

  private void assertTold(int at) {
    var gone = cells.get(at);
    var log = new ArrayList<>(cells);
    log.remove(at);
    int next = after(gone, log);
    if (next == log.size()) {
      // Nobody knows yet whether the log will have it.
      return;
    }
    var agreement = FoldedTopic.agreement(FoldedTopic.of(FoldSource.LOG, cells), cells, log);
    var absent = agreement.verdict().absent().get(0);

    assertThat(at).satisfies(within(agreement.stretchThere(absent)));
    assertThat(next).satisfies(within(agreement.stretchHere(absent)));
  }

  @Test
  void no_more_than_a_bucket_and_what_follows_it_is_said_to_have_absent_cells() {
    var all = FoldedTopic.cells(random, CELLS * 10);
    var gone = all.get(CELLS * 5);
    var log = new ArrayList<>(all);
    log.remove(gone);
    var agreement = FoldedTopic.agreement(FoldedTopic.of(FoldSource.LOG, all), all, log);
    var absent = agreement.verdict().absent().get(0);

    for (var stretch : List.of(agreement.stretchThere(absent), agreement.stretchHere(absent))) {
      assertThat(stretch.to() - stretch.from()).isLessThan(CELLS);
    }
  }

  private static Consumer<Integer> within(Stretch stretch) {
    return offset -> assertThat((long) offset).isBetween(stretch.from(), stretch.to());
  }

  /** Where the first cell of its shard stands that was written after one; the end if none was. */
  private static int after(Entry gone, List<Entry> log) {
    int at = 0;
    while (at < log.size()
        && (log.get(at).shard() != gone.shard() || log.get(at).id() <= gone.id())) {
      at++;
    }
    return at;
  }
}
