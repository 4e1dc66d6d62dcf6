package io.cellmesh.triggers;

import static io.cellmesh.triggers.OneProcess.AT;
import static io.cellmesh.triggers.OneProcess.row;
import static io.cellmesh.triggers.OneProcess.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.topics.trigger.Order;
import io.cellmesh.topics.trigger.TriggerName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class CallbackThreadsTest {
  @Test
  void the_end_is_waited_for_a_moment_however_many_threads_do_not_come_to_it() throws Exception {
    var dispatcher = new SharedDispatcher(new Dispatcher(settings(Order.ROW)), 1, Duration.ZERO);
    // Nobody has told them that it is over.
    var threads =
        new CallbackThreads(
            "billing", 10, dispatcher, null, batch -> {}, BatchSize.of(1), new TriggerFigures());
    threads.start();

    long begun = System.nanoTime();
    threads.end();

    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(5));
    dispatcher.close();
  }

  @Test
  void after_an_error_of_the_dispatcher_its_threads_go_on_and_who_reads_hears_of_it() {
    var errors = new AtomicInteger(1);
    var dispatcher = dispatcher(errors);
    var called = new CopyOnWriteArrayList<Long>();
    try (var notebook =
        new Notebook(
            KafkaAccess.plain("127.0.0.1:1"), new TriggerName("billing"), "trips.trigger-state")) {
      new CallbackThreads(
              "billing",
              1,
              dispatcher,
              notebook,
              batch -> called.add(batch.cells.get(0).offset),
              BatchSize.of(1),
              new TriggerFigures())
          .start();
      takeOver(dispatcher);
      await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(
              () ->
                  assertThatThrownBy(dispatcher::check)
                      .hasMessageContaining("OutOfMemoryError: of a test"));
      assertThat(called).isEmpty();

      takeOver(dispatcher);

      await().atMost(Duration.ofSeconds(30)).until(() -> called.equals(List.of(100L)));
      dispatcher.check();
    } finally {
      dispatcher.close();
    }
  }

  /** The second batch finds no memory when the first one has begun. */
  @Test
  @Timeout(60)
  void a_batch_that_began_before_an_error_is_handed_over_and_keeps_nothing_when_it_has_ended()
      throws Exception {
    var sizes = new AtomicInteger();
    var failing =
        failing(settings(Order.SHARD, 2, 1), Order.SHARD, 2, () -> sizes.incrementAndGet() == 2);
    var dispatcher = new SharedDispatcher(new Dispatcher(failing), 1, Duration.ZERO);
    takeOverTwoShards(dispatcher);
    assertThatThrownBy(dispatcher::take).isInstanceOf(OutOfMemoryError.class);

    var first = dispatcher.take();
    assertThat(first.cells).extracting(cell -> cell.offset).containsExactly(100L);
    dispatcher.end(first, null);

    takeOverTwoShards(dispatcher);
    assertThat(dispatcher.take().cells).extracting(cell -> cell.offset).containsExactly(100L);
    assertThat(dispatcher.take().cells).extracting(cell -> cell.offset).containsExactly(101L);
  }

  @Test
  void a_batch_ends_though_it_can_not_be_told_what_became_of_it() throws Exception {
    var dispatcher = new SharedDispatcher(new Dispatcher(settings(Order.ROW)), 1, Duration.ZERO);
    try (var notebook =
        new Notebook(
            KafkaAccess.plain("127.0.0.1:1"), new TriggerName("billing"), "trips.trigger-state")) {
      // Without one that measures, what comes after the callback fails as it would without memory.
      var threads =
          new CallbackThreads(
              "billing", 1, dispatcher, notebook, batch -> {}, null, new TriggerFigures());
      threads.start();
      takeOver(dispatcher);

      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> dispatcher.with((core, now) -> core.tally(now)).failedCells() == 1);
      dispatcher.close();
      threads.end();
    } finally {
      dispatcher.close();
    }
  }

  @Test
  void an_error_at_one_of_several_cells_is_that_cells_alone() {
    var partition =
        PartitionProgress.of(
            AT, new Assignment(100, "", Set.of(), Map.of()), settings(Order.ROW), new Held());
    var cells = List.of(cell(100, 1), cell(101, 2));
    cells.forEach(cell -> partition.read(cell, true));
    var called = new ArrayList<UUID>();
    var call =
        CallbackThreads.each(
            cell -> {
              called.add(cell.row());
              if (cell.row().equals(row(1))) {
                throw new StackOverflowError("of a test");
              }
            },
            delivery -> new TriggeredCell(AT, delivery, null));

    assertThatThrownBy(() -> call.of(Batch.of(partition, cells, Instant.EPOCH)))
        .isInstanceOfSatisfying(
            BatchFailedException.class,
            failed ->
                assertThat(failed.failures().keySet())
                    .extracting(TriggeredCell::row)
                    .containsExactly(row(1)));
    assertThat(called).containsExactly(row(1), row(2));
  }

  /** One that finds no memory for as many batches as there are to be errors. */
  private static SharedDispatcher dispatcher(AtomicInteger errors) {
    var failing = failing(settings(Order.ROW), Order.ROW, 1, () -> errors.getAndDecrement() > 0);
    return new SharedDispatcher(new Dispatcher(failing), 1, Duration.ZERO);
  }

  /** Those that find no memory for a batch when that is said. */
  private static Settings failing(
      Settings usual, Order order, int concurrency, BooleanSupplier fails) {
    return new Settings(
        order,
        concurrency,
        () -> {
          if (fails.getAsBoolean()) {
            throw new OutOfMemoryError("of a test");
          }
          return 1;
        },
        usual.accepts(),
        true,
        30,
        usual.bounds(),
        usual.retry());
  }

  /** Of a partition that has one cell, and nothing to be noted before that is called back for. */
  private static void takeOver(SharedDispatcher dispatcher) {
    dispatcher.feed(
        (core, now) -> {
          core.lost(AT);
          core.assign(AT, new Assignment(100, "", Set.of(), Map.of()));
          core.committed(AT, new Commit(100, ""));
          core.read(AT, cell(100, 1), now);
          return null;
        });
  }

  /** One cell of each of two shards. */
  private static void takeOverTwoShards(SharedDispatcher dispatcher) {
    dispatcher.feed(
        (core, now) -> {
          core.lost(AT);
          core.assign(AT, new Assignment(100, "", Set.of(), Map.of()));
          core.committed(AT, new Commit(100, ""));
          core.read(AT, cell(100, 1), now);
          core.read(AT, new Delivery(101, 19, 2, row(2), "BASE", false, 10, null), now);
          return null;
        });
  }

  private static Delivery cell(long offset, int row) {
    return new Delivery(offset, 3, row, row(row), "BASE", false, 10, null);
  }
}
