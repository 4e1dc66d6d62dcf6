package io.cellmesh.triggers;

import static io.cellmesh.triggers.OneProcess.AT;
import static io.cellmesh.triggers.OneProcess.row;
import static io.cellmesh.triggers.OneProcess.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Origin;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.deployment.MissingRightException;
import io.cellmesh.topics.trigger.Order;
import io.cellmesh.topics.trigger.ParkedRecord;
import io.cellmesh.topics.trigger.ParkedRow;
import io.cellmesh.topics.trigger.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The replay of a row with three parked cells, by Kafka's own stand-in for its consumer. */
class ReplaysTest {
  private static final UUID ROW = row(1);
  private static final Reason REASON = Reason.of("the card can't be read");
  private static final ParkedRow MARKER = new ParkedRow(0, 0, 2, 3, Instant.EPOCH, REASON);
  private static final TriggerOptions OPTIONS = OptionsForTests.of(Order.ROW);
  private static final Duration SOON = Duration.ofSeconds(30);

  private final SharedDispatcher dispatcher =
      new SharedDispatcher(new Dispatcher(settings(Order.ROW)), 1, Duration.ZERO);

  private final Replays replays =
      new Replays(
          OPTIONS,
          dispatcher,
          this::call,
          settings(Order.ROW).retry(),
          new TriggerFigures(),
          this::client);

  /** Each call, as {@code ref_key/attempt}. */
  private final List<String> calls = new CopyOnWriteArrayList<>();

  private final AtomicInteger opened = new AtomicInteger();
  private CellCallback callback = cell -> {};

  private ParkedRow marker = MARKER;

  /** Offsets from each parked cell to the next. */
  private long apart = 1;

  /** What is thrown in place of the first client. */
  private KafkaException refusal;

  private volatile Thread caller;

  @BeforeEach
  void takeOver() {
    dispatcher.with(
        (core, now) -> {
          core.assign(AT, new Assignment(100, "", Set.of(ROW), Map.of()));
          return null;
        });
    replays.begin(AT, Set.of(ROW));
  }

  @Test
  void the_parked_cells_of_a_row_are_called_back_for_in_order() {
    awaitEnd();

    assertThat(calls).containsExactly("1/1", "2/1", "3/1");
  }

  @Test
  void parked_cells_that_lie_far_apart_are_read_in_one_pass() {
    apart = 1_000_000;
    marker = new ParkedRow(0, 0, 2 * apart, 3, Instant.EPOCH, REASON);

    awaitEnd();

    assertThat(calls).containsExactly("1/1", "2/1", "3/1");
    assertThat(opened).hasValue(1);
  }

  @Test
  void between_two_readings_the_other_cells_of_its_shard_have_a_turn() {
    var options = OptionsForTests.of(Order.SHARD);
    var shard = options.shards().of(ROW);
    var byShard = new SharedDispatcher(new Dispatcher(settings(Order.SHARD)), 1, Duration.ZERO);
    byShard.with(
        (core, now) -> {
          core.assign(AT, new Assignment(100, "", Set.of(ROW), Map.of()));
          core.read(AT, new Delivery(100, shard, 9, row(2), "BASE", false, 10, null), now);
          return null;
        });
    refusal = new KafkaException("trips.parked-3: no record after offset 0 for 30 s, of 3");
    var replay =
        new Replays(
            options,
            byShard,
            this::call,
            settings(Order.SHARD).retry(),
            new TriggerFigures(),
            this::client);
    replay.begin(AT, Set.of(ROW));
    replay.progress(AT, ROW, MARKER);
    assertThat(next(byShard)).as("while it is held").isEmpty();

    var begun = new ArrayList<Batch>();
    await()
        .atMost(SOON)
        .until(
            () -> {
              replay.progress(AT, ROW, MARKER);
              begun.addAll(next(byShard));
              return begun.size() == 1;
            });
    assertThat(calls).isEmpty();

    byShard.end(begun.get(0), null);
    await().atMost(SOON).until(() -> replay.progress(AT, ROW, MARKER).next() > MARKER.last());
    assertThat(calls).containsExactly("1/1", "2/1", "3/1");
  }

  @Test
  void an_error_of_a_callback_is_tried_again_as_an_exception_is() {
    var errors = new AtomicInteger(1);
    callback =
        cell -> {
          if (errors.getAndDecrement() > 0) {
            throw new StackOverflowError("of a test");
          }
        };

    awaitEnd();

    assertThat(calls).containsExactly("1/1", "1/2", "2/1", "3/1");
  }

  @Test
  void while_paused_no_replay_begins() {
    replays.pause(true);
    await()
        .during(Duration.ofMillis(200))
        .atMost(SOON)
        .until(() -> progress().next() == 0 && opened.get() == 0);
    assertThat(progress().hasEnded()).isFalse();

    replays.pause(false);
    awaitEnd();

    assertThat(calls).containsExactly("1/1", "2/1", "3/1");
  }

  @Test
  void a_replay_finishes_the_cell_that_it_is_at_when_it_is_paused_and_goes_on_with_the_next()
      throws Exception {
    callback = cell -> replays.pause(true);

    awaitPause();

    assertThat(calls).containsExactly("1/1");
    assertThat(progress().next()).isEqualTo(1);
    callback = cell -> {};
    replays.pause(false);
    awaitEnd();
    assertThat(calls).containsExactly("1/1", "2/1", "3/1");
  }

  @Test
  void a_cell_that_failed_when_it_was_paused_is_tried_from_its_first_attempt_on() throws Exception {
    callback =
        cell -> {
          replays.pause(true);
          throw new IllegalStateException("down");
        };

    awaitPause();

    assertThat(progress().hasEnded()).isFalse();
    assertThat(progress().next()).isZero();
    callback = cell -> {};
    replays.pause(false);
    awaitEnd();
    assertThat(calls).containsExactly("1/1", "1/1", "2/1", "3/1");
  }

  @Test
  void while_the_trigger_is_halted_a_replay_waits_and_fails_no_cell() throws Exception {
    callback = cell -> halt(true);
    awaitPause();

    await()
        .during(Duration.ofMillis(200))
        .atMost(SOON)
        .until(() -> progress().next() == 1 && opened.get() == 1);
    assertThat(progress().hasEnded()).isFalse();
    assertThat(replays.isPaused()).as("others of the partition's requests overtake it").isTrue();

    callback = cell -> {};
    halt(false);
    awaitEnd();
    assertThat(calls).containsExactly("1/1", "2/1", "3/1");
  }

  @Test
  void nothing_of_its_partition_is_called_back_for_while_one_that_was_given_up_still_does()
      throws Exception {
    var goesOn = new CountDownLatch(1);
    // As one that heeds no interrupt.
    callback =
        cell -> {
          while (goesOn.getCount() > 0) {
            Thread.onSpinWait();
          }
        };
    progress();
    await().atMost(SOON).until(() -> !calls.isEmpty());
    dispatcher.with(
        (core, now) -> {
          core.read(AT, new Delivery(100, 3, 9, row(2), "BASE", false, 10, null), now);
          return null;
        });

    replays.forget(AT);
    replays.begin(AT, Set.of(ROW));

    assertThat(next()).isEmpty();
    progress();
    assertThat(opened).as("replays that have begun").hasValue(1);

    goesOn.countDown();
    await().atMost(SOON).until(() -> next().size() == 1);
    assertThat(calls).containsExactly("1/1");
    awaitEnd();
    assertThat(calls).containsExactly("1/1", "1/1", "2/1", "3/1");
  }

  @Test
  void one_that_waits_for_its_next_attempt_holds_up_no_partition_that_goes() {
    callback =
        cell -> {
          throw new RetryLaterException("busy", Duration.ofMinutes(1));
        };
    progress();
    await()
        .atMost(SOON)
        .until(() -> caller != null && caller.getState() == Thread.State.TIMED_WAITING);

    long begun = System.nanoTime();
    replays.end(List.of(AT), SOON);

    // The back-off is at most 8 s.
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(4));
    assertThat(calls).containsExactly("1/1");
  }

  @Test
  void a_replay_waits_for_kafka_and_goes_on_when_it_answers() {
    refusal = new KafkaException("trips.parked-3: no record after offset 0 for 30 s, of 3");

    awaitEnd();

    assertThat(opened).hasValue(2);
    assertThat(progress().hasEnded()).isFalse();
    assertThat(calls).containsExactly("1/1", "2/1", "3/1");
  }

  @Test
  void a_replay_of_what_is_gone_ends() {
    refusal =
        new OffsetOutOfRangeException(
            Map.of(new TopicPartition("trips.parked", AT.partition()), 0L));

    await().atMost(SOON).until(() -> progress().hasEnded());

    assertThat(progress().failure()).contains("OffsetOutOfRangeException");
    assertThat(opened).hasValue(1);
  }

  /** Its shard, which is held for it, would stand still until somebody grants the right. */
  @Test
  void a_replay_of_what_may_not_be_read_ends() {
    refusal =
        MissingRightException.of(
            KafkaAccess.plain("127.0.0.1:1"),
            "Read",
            new TopicAuthorizationException(Set.of("trips.parked")));

    await().atMost(SOON).until(() -> progress().hasEnded());

    assertThat(progress().failure()).contains("may not Read");
    assertThat(opened).hasValue(1);
  }

  @Test
  void one_that_is_stopped_ends_with_the_cell_that_it_is_at() throws Exception {
    var called = new CountDownLatch(1);
    callback = cell -> called.await();
    progress();
    await().atMost(SOON).until(() -> caller != null);

    assertThat(replays.stop(AT, List.of(ROW))).isFalse();
    called.countDown();

    await().atMost(SOON).until(() -> replays.stop(AT, List.of(ROW)));
    assertThat(calls).containsExactly("1/1");
  }

  @Test
  void a_shard_is_not_free_while_another_row_of_it_is_replayed() {
    var shards = OPTIONS.shards();
    var other =
        IntStream.iterate(2, n -> n + 1)
            .mapToObj(OneProcess::row)
            .filter(row -> shards.of(row) == shards.of(ROW))
            .findFirst()
            .orElseThrow();
    replays.begin(AT, Set.of(other));
    awaitEnd();

    assertThat(replays.done(AT, other)).isFalse();
    assertThat(replays.done(AT, ROW)).isTrue();
  }

  private void call(TriggeredCell cell) throws Exception {
    caller = Thread.currentThread();
    calls.add(cell.record().cell().key().refKey() + "/" + cell.attempt());
    callback.call(cell);
  }

  private void halt(boolean on) {
    dispatcher.with(
        (core, now) -> {
          core.halt(on, now);
          return null;
        });
  }

  /** What the dispatcher has called back for now. */
  private List<Batch> next() {
    return next(dispatcher);
  }

  private static List<Batch> next(SharedDispatcher dispatcher) {
    return dispatcher.with(
        (core, now) -> {
          var begun = new ArrayList<Batch>();
          core.next(now, begun);
          return begun;
        });
  }

  private Replays.Progress progress() {
    return replays.progress(AT, ROW, marker);
  }

  /** As the loop does, which asks at each turn. */
  private void awaitEnd() {
    await().atMost(SOON).until(() -> progress().next() > marker.last());
  }

  /** Until the callback has paused the replay, and its thread has ended. */
  private void awaitPause() throws InterruptedException {
    progress();
    await().atMost(SOON).until(() -> caller != null);
    caller.join(SOON.toMillis());
    assertThat(caller.isAlive()).isFalse();
  }

  private Consumer<byte[], byte[]> client() {
    if (opened.incrementAndGet() == 1 && refusal != null) {
      throw refusal;
    }
    var client = new MockConsumer<byte[], byte[]>("none");
    client.updateBeginningOffsets(Map.of(new TopicPartition("trips.parked", AT.partition()), 0L));
    client.schedulePollTask(() -> parked().forEach(client::addRecord));
    return client;
  }

  private List<ConsumerRecord<byte[], byte[]>> parked() {
    var records = new ArrayList<ConsumerRecord<byte[], byte[]>>();
    for (int ref = 1; ref <= 3; ref++) {
      var cell = cell(ref);
      var log =
          new ConsumerRecord<>(
              AT.topic(),
              AT.partition(),
              100 + ref,
              Envelope.key(cell.cell().key()),
              Envelope.write(cell));
      var parked =
          new ParkedRecord(OPTIONS.name(), REASON, 3, Instant.EPOCH, Instant.EPOCH, AT, 100 + ref)
              .of("trips.parked", log);
      records.add(
          new ConsumerRecord<>(
              parked.topic(),
              parked.partition(),
              (ref - 1) * apart,
              0,
              TimestampType.CREATE_TIME,
              0,
              0,
              parked.key(),
              parked.value(),
              parked.headers(),
              Optional.empty()));
    }
    return records;
  }

  private static LogRecord cell(int ref) {
    try {
      var key = new CellKey(ROW, "BASE", ref);
      var cell = new Cell(key, Body.ofJson("{}"), Optional.of(new Origin("dc1", ref)));
      return new LogRecord(cell, 3, ref, Instant.EPOCH);
    } catch (InvalidCellException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
