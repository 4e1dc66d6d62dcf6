package io.cellmesh.connect.source;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * The source's core over modelled binlogs, Kafka and Connect, in random histories: some that are
 * always the same, and fresh ones. {@code -Dcellmesh.simulation.seed=N} runs those from a seed on
 * that a failure names, {@code -Dcellmesh.simulation.seconds=N} longer.
 */
class SourceSimulationTest {
  private static final Long SEED = Long.getLong("cellmesh.simulation.seed");
  private static final int SECONDS = Integer.getInteger("cellmesh.simulation.seconds", 3);

  @Test
  void the_log_has_each_cell_once_and_in_order_in_the_known_histories() {
    run(1);
  }

  @Test
  void and_in_fresh_ones() {
    run(SEED != null ? SEED : ThreadLocalRandom.current().nextLong(1L << 40));
  }

  private static void run(long first) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    for (long seed = first; System.nanoTime() < end; seed++) {
      var wrong = SourceSimulation.run(seed, SourceSimulation.steps(seed));
      if (wrong.isPresent()) {
        throw new AssertionError(SourceSimulation.describe(seed, wrong.get()), wrong.get());
      }
    }
  }
}
