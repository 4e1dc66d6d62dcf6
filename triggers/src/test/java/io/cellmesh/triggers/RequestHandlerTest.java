package io.cellmesh.triggers;

import static io.cellmesh.triggers.OneProcess.AT;
import static io.cellmesh.triggers.OneProcess.replays;
import static io.cellmesh.triggers.OneProcess.row;
import static io.cellmesh.triggers.OneProcess.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.awaitility.Awaitility.await;

import io.cellmesh.topics.trigger.Order;
import io.cellmesh.topics.trigger.ParkedRow;
import io.cellmesh.topics.trigger.Reason;
import io.cellmesh.topics.trigger.Request;
import io.cellmesh.topics.trigger.StateKey;
import io.cellmesh.topics.trigger.StateRecord;
import io.cellmesh.topics.trigger.TriggerStates;
import io.cellmesh.triggers.OwnedPartition.Stage;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What an operator asks for, by Kafka's own stand-ins for its clients. */
class RequestHandlerTest {
  private static final UUID ROW = row(1);
  private static final TriggerOptions OPTIONS = OptionsForTests.of(Order.ROW);
  private static final Duration SOON = Duration.ofSeconds(30);

  private final MockProducer<byte[], byte[]> producer =
      new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());

  private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("none");
  private final SharedDispatcher dispatcher =
      new SharedDispatcher(new Dispatcher(settings(Order.ROW)), 1, Duration.ZERO);

  /** As long as it has a count, a replay that began has not ended. */
  private CountDownLatch replay = new CountDownLatch(0);

  private final TriggerStates states = TriggerStates.of(OPTIONS.name());
  private final Replays replays = replays(OPTIONS, dispatcher, new TriggerFigures(), this::client);

  private final OwnedPartitions owned = new OwnedPartitions(OPTIONS, consumer, dispatcher, replays);

  private final RequestHandler handler =
      new RequestHandler(
          OPTIONS,
          owned,
          dispatcher,
          states,
          replays,
          new StateWriter(
              OPTIONS,
              owned,
              dispatcher,
              new Transactions(OPTIONS.group(), () -> producer, consumer::groupMetadata)));

  private long offset;

  @BeforeEach
  void takeOver() {
    consumer.assign(List.of(AT));
    owned.add(List.of(AT));
    var partition = partition();
    partition.stage = Stage.RUNNING;
    partition.markers.put(
        ROW, new ParkedRow(0, 0, 0, 1, Instant.EPOCH, Reason.of("the card can't be read")));
    dispatcher.with(
        (core, now) -> {
          core.assign(AT, new Assignment(100, "", Set.of(ROW), Map.of()));
          return null;
        });
  }

  @Test
  void a_discard_takes_the_row_and_itself_away_in_one_transaction_with_the_groups_place()
      throws Exception {
    ask("1", new Request.Discard("ann", Instant.EPOCH, ROW));

    handler.carryOut();

    assertThat(producer.history()).allMatch(record -> record.value() == null);
    assertThat(producer.history())
        .extracting(record -> new String(record.key()))
        .containsExactly("billing|row|" + ROW, "billing|request|1");
    assertThat(committed()).containsExactly(entry(AT, new OffsetAndMetadata(100, "")));
    assertThat(partition().markers).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("requests")
  void what_is_carried_out_is_not_carried_out_again_while_its_removal_is_not_read_back(
      Request request) throws Exception {
    ask("1", request);

    handler.carryOut();
    handler.carryOut();
    handler.carryOut();

    assertThat(removals("1")).isEqualTo(1);
  }

  /** Of a row that is not parked, so that nothing is to be replayed. */
  static List<Request> requests() {
    return List.of(
        new Request.Discard("ann", Instant.EPOCH, ROW),
        new Request.Replay("ann", Instant.EPOCH, row(2)));
  }

  @Test
  void one_that_is_asked_for_behind_another_is_carried_out_though_that_is_not_read_back()
      throws Exception {
    ask("1", new Request.Discard("ann", Instant.EPOCH, ROW));
    handler.carryOut();
    ask("2", new Request.Discard("ann", Instant.EPOCH, row(2)));

    handler.carryOut();
    handler.carryOut();

    assertThat(removals("1")).isEqualTo(1);
    assertThat(removals("2")).isEqualTo(1);
  }

  @Test
  void once_its_removal_is_read_back_it_may_be_asked_for_again() throws Exception {
    ask("1", new Request.Discard("ann", Instant.EPOCH, ROW));
    handler.carryOut();
    read(StateRecord.removal(new StateKey.OfRequest(OPTIONS.name(), "1")));
    handler.carryOut();

    ask("1", new Request.Discard("ann", Instant.EPOCH, ROW));
    handler.carryOut();

    assertThat(removals("1")).isEqualTo(2);
  }

  @Test
  void a_partition_that_waits_for_a_person_is_only_rewound() throws Exception {
    partition().stage = Stage.HALTED;
    ask("1", new Request.Discard("ann", Instant.EPOCH, ROW));
    ask("2", new Request.Rewind("ann", Instant.EPOCH, 40));

    handler.carryOut();

    assertThat(removals("1")).isZero();
    assertThat(removals("2")).isEqualTo(1);
    assertThat(committed()).containsExactly(entry(AT, new OffsetAndMetadata(40, "")));
    assertThat(partition().stage).as("to look what is committed").isEqualTo(Stage.OFFSET);
  }

  @Test
  void while_paused_a_replay_keeps_no_discard_behind_it_waiting() throws Exception {
    replays.pause(true);
    ask("1", new Request.Replay("ann", Instant.EPOCH, ROW));
    handler.carryOut();
    ask("2", new Request.Discard("ann", Instant.EPOCH, row(2)));

    handler.carryOut();
    handler.carryOut();

    assertThat(removals("1")).isZero();
    assertThat(removals("2")).isEqualTo(1);
    assertThat(replays.rows(AT)).containsExactly(ROW);
  }

  @Test
  void a_discard_of_a_row_that_is_replayed_waits_for_its_last_callback_and_comes_next()
      throws Exception {
    askDuringReplay(new Request.Discard("ann", Instant.EPOCH, ROW));

    handler.carryOut();
    replays.pause(false);
    handler.carryOut();
    assertThat(partition().markers).containsKey(ROW);

    replay.countDown();
    await().atMost(SOON).until(() -> isDone("2"));
    handler.carryOut();
    assertThat(partition().markers).isEmpty();
    assertThat(removals("1")).isEqualTo(1);
  }

  @Test
  void a_rewind_of_a_partition_that_is_replayed_waits_for_the_last_callback_and_comes_next()
      throws Exception {
    askDuringReplay(new Request.Rewind("ann", Instant.EPOCH, 40));

    handler.carryOut();
    replays.pause(false);
    handler.carryOut();
    assertThat(partition().stage).isEqualTo(Stage.RUNNING);

    replay.countDown();
    await().atMost(SOON).until(() -> isDone("2"));
    assertThat(removals("1")).isZero();
    assertThat(partition().stage).isEqualTo(Stage.OFFSET);
  }

  @Test
  void a_discard_that_is_taken_back_while_it_waits_leaves_its_replay_to_begin_anew()
      throws Exception {
    askDuringReplay(new Request.Discard("ann", Instant.EPOCH, ROW));
    handler.carryOut();
    read(StateRecord.removal(new StateKey.OfRequest(OPTIONS.name(), "2")));

    handler.carryOut();

    assertThat(partition().stage).isEqualTo(Stage.OFFSET);
    assertThat(replays.rows(AT)).isEmpty();
  }

  /** Of the row; its callback is under way, and no other begins. */
  private void askDuringReplay(Request request) throws Exception {
    replay = new CountDownLatch(1);
    ask("1", new Request.Replay("ann", Instant.EPOCH, ROW));
    handler.carryOut();
    replays.pause(true);
    ask("2", request);
  }

  private boolean isDone(String id) throws InterruptedException {
    handler.carryOut();
    return removals(id) == 1;
  }

  private Consumer<byte[], byte[]> client() {
    try {
      replay.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new KafkaException("no test has a replay read");
  }

  private OwnedPartition partition() {
    return owned.get(AT).orElseThrow();
  }

  private void ask(String id, Request request) {
    read(StateRecord.of(new StateKey.OfRequest(OPTIONS.name(), id), request));
  }

  /** Has the state topic say something. */
  private void read(StateRecord record) {
    var sent = record.in(OPTIONS.topics().triggerState(), AT.partition());
    states.accept(
        new ConsumerRecord<>(sent.topic(), sent.partition(), offset++, sent.key(), sent.value()));
  }

  /** By the only transaction. */
  private Map<TopicPartition, OffsetAndMetadata> committed() {
    assertThat(producer.commitCount()).isEqualTo(1);
    return producer.consumerGroupOffsetsHistory().get(0).values().iterator().next();
  }

  private long removals(String id) {
    var key = new StateKey.OfRequest(OPTIONS.name(), id).bytes();
    return producer.history().stream()
        .filter(record -> Arrays.equals(record.key(), key) && record.value() == null)
        .count();
  }
}
