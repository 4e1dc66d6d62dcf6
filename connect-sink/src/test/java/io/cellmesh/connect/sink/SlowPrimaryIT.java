package io.cellmesh.connect.sink;

import static io.cellmesh.connect.sink.SinkStack.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** One of three primaries answers, and takes most of a second for each cell. */
class SlowPrimaryIT {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final int SLOW_CELLS = 30;
  private static final int OTHER_CELLS = 60;

  private final SinkStack stack = SinkStack.shared();

  @Test
  void a_slow_primary_delays_no_cell_of_another_one_and_its_own_come_in_order() throws Exception {
    var slow = stack.rowOf("c1");
    var other = rowBeside(slow, "c2");
    for (int i = 0; i < 20; i++) {
      stack.produce(slow, json(slow, "BASE", i, "1")).get();
      visible(other, i);
    }
    await().atMost(SOON).until(() -> stack.cells(slow) == 20);
    stack.masterOf(slow).execute(trigger(slow));
    var times = new ArrayList<Long>();
    for (int i = 0; i < OTHER_CELLS; i++) {
      if (i % 2 == 0) {
        stack.produce(slow, json(slow, "BASE", 20 + i / 2, "1")).get();
      }
      times.add(visible(other, 20 + i));
    }
    assertThat(stack.cells(slow)).as("cells of the slow one").isLessThan(20 + SLOW_CELLS);
    // The first that meets it waits until it is late; each turn of its catching up costs little.
    assertThat(times.stream().sorted().toList().get(OTHER_CELLS / 2))
        .as("median of %s, the milliseconds until a cell of another was visible", times)
        .isLessThan(600);
    stack.masterOf(slow).execute("DROP TRIGGER %s.slow".formatted(stack.database(slow)));
    await().atMost(SOON).until(() -> stack.cells(slow) == 20 + SLOW_CELLS);
    assertThat(stack.refKeys(slow))
        .isEqualTo(IntStream.range(0, 20 + SLOW_CELLS).mapToObj(String::valueOf).toList());
    await().atMost(SOON).until(() -> stack.buffered("c1") == 0);
  }

  /** Milliseconds until a cell that is produced can be read. */
  private long visible(UUID row, long ref) throws Exception {
    long begin = System.nanoTime();
    stack.produce(row, json(row, "BASE", ref, "1")).get();
    await()
        .atMost(SOON)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(10))
        .until(() -> stack.cells(row) == ref + 1);
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
  }

  /** A row of another cluster in the same partition, so that the same task writes both. */
  private UUID rowBeside(UUID row, String cluster) {
    var shards = stack.topology().shards();
    while (true) {
      var beside = stack.rowOf(cluster);
      if (shards.partitionOf(shards.of(beside)) == shards.partitionOf(shards.of(row))) {
        return beside;
      }
    }
  }

  private String trigger(UUID row) {
    return "CREATE TRIGGER %1$s.slow BEFORE INSERT ON %1$s.entity FOR EACH ROW SET @slept = SLEEP(0.8)"
        .formatted(stack.database(row));
  }
}
