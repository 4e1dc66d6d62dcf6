package io.cellmesh.triggers;

import io.cellmesh.topics.trigger.Order;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random histories of completions, failures, rebalances, commits that are lost, offsets that
 * expire, zombies, processes that die, repeats and rebuilt stretches. At each step: no commit is
 * past a cell that is not finished, nor says in its metadata that one is; no two callbacks of one
 * shard (or row) run at once; none begins before every earlier cell of its shard (or row) has been
 * delivered or parked; memory is bounded. In the end all cells are finished or parked.
 */
class ModelledGroupTest {
  private static final int SEEDS = 1_000;
  private static final int STEPS = 300;
  private static final int TOLD = 80;

  @ParameterizedTest
  @EnumSource(Order.class)
  void whatever_happens_nothing_is_skipped_nor_overtakes_nor_is_said_to_be_finished_too_early(
      Order order) {
    for (long seed = 0; seed < SEEDS; seed++) {
      var group = new ModelledGroup(order, seed);
      try {
        for (int i = 0; i < STEPS; i++) {
          group.step();
        }
        group.settle();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(
            "order " + order + ", seed " + seed + ": " + e.getMessage() + last(group.steps()), e);
      }
    }
  }

  private static String last(List<String> steps) {
    return "\n" + String.join("\n", steps.subList(Math.max(0, steps.size() - TOLD), steps.size()));
  }
}
