package io.cellmesh.triggers;

import static io.cellmesh.topics.trigger.Order.ROW;
import static io.cellmesh.topics.trigger.Order.SHARD;
import static io.cellmesh.triggers.OneProcess.AT;
import static io.cellmesh.triggers.OneProcess.FAILURE;
import static io.cellmesh.triggers.OneProcess.names;
import static io.cellmesh.triggers.OneProcess.row;
import static io.cellmesh.triggers.OneProcess.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.cellmesh.topics.HeaderText;
import io.cellmesh.topics.trigger.CellAttempts;
import io.cellmesh.topics.trigger.Order;
import io.cellmesh.topics.trigger.ParkedRecord;
import io.cellmesh.topics.trigger.TriggerName;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class ParkingTest {
  @ParameterizedTest
  @EnumSource(Order.class)
  void progress_passes_a_parked_cell_only_with_the_transaction_that_parks_it(Order order) {
    var process = new OneProcess(settings(order)).read(3, 1, 1);
    process.begin();
    process.useUp();

    var parking = process.park();

    assertThat(names(parking)).containsExactly("3/1 ATTEMPTS");
    assertThat(parking.commits().get(AT).offset()).isEqualTo(101);
    assertThat(process.progress()).isEqualTo(100);
    assertThat(process.dispatcher.park(process.now)).isEmpty();
    process.dispatcher.parked(parking, process.now);
    assertThat(process.dispatcher.commit(AT)).as("what the transaction committed").isEmpty();
    assertThat(process.dispatcher.cells()).isZero();
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void the_cells_of_a_parked_row_follow_it_untried(Order order) {
    var process = new OneProcess(settings(order)).read(3, 1, 1).read(3, 2, 1);
    process.begin();
    process.useUp();

    var parking = process.park();
    assertThat(names(parking)).containsExactly("3/1 ATTEMPTS", "3/2 ROW");
    process.dispatcher.parked(parking, process.now);

    assertThat(process.read(3, 3, 1).read(3, 4, 2).begin())
        .isEqualTo(order == Order.SHARD ? List.of() : List.of("3/4"));
    assertThat(names(process.park())).containsExactly("3/3 ROW");
  }

  @Test
  void a_transaction_that_ended_without_a_word_holds_up_none_after_the_partition_is_taken_over() {
    var process = new OneProcess(settings(SHARD)).read(3, 1, 1);
    process.begin();
    process.useUp().park();

    process.dispatcher.lost(AT);
    process.dispatcher.abandonParking();
    process.dispatcher.assign(AT, new Assignment(100, "", Set.of(), Map.of()));
    process.read(100, 3, 1, 1, "BASE", false).begin();

    assertThat(names(process.useUp().park())).containsExactly("3/1 ATTEMPTS");
  }

  @Test
  void where_rows_do_not_follow_only_the_failed_cell_is_parked() {
    var process =
        new OneProcess(settings(SHARD, 8, 1, false, new Bounds(100, 10_000, 9)))
            .read(3, 1, 1)
            .read(3, 2, 1);
    process.begin();
    process.useUp();

    var parking = process.park();
    assertThat(names(parking)).containsExactly("3/1 ATTEMPTS");
    process.dispatcher.parked(parking, process.now);
    assertThat(process.begin()).containsExactly("3/2");
  }

  @Test
  void in_order_by_shard_nothing_of_it_begins_before_the_cell_is_parked() {
    var process = new OneProcess(settings(SHARD)).read(3, 1, 1).read(3, 2, 2);
    process.begin();
    process.useUp();
    var parking = process.park();
    assertThat(process.begin()).isEmpty();

    process.dispatcher.notParked(parking, process.now);
    assertThat(process.begin()).isEmpty();
    assertThat(process.dispatcher.park(process.now)).isEmpty();
    assertThat(process.dispatcher.due()).contains(process.now.plusSeconds(1));

    parking = process.pass(1).park();
    assertThat(names(parking)).containsExactly("3/1 ATTEMPTS");
    process.dispatcher.parked(parking, process.now);
    assertThat(process.begin()).containsExactly("3/2");
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void rows_that_were_parked_before_the_partition_was_taken_over_stay_so(Order order) {
    var process =
        new OneProcess(settings(order), new Assignment(100, "", Set.of(row(1)), Map.of()));

    assertThat(process.read(3, 1, 1).read(19, 1, 2).begin()).containsExactly("19/1");
    assertThat(names(process.park())).containsExactly("3/1 ROW");
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void a_row_that_was_replayed_to_its_end_is_delivered_again(Order order) {
    var process =
        new OneProcess(settings(order), new Assignment(100, "", Set.of(row(1)), Map.of()));
    process.read(3, 1, 1);

    process.dispatcher.unpark(AT, row(1));

    assertThat(process.dispatcher.park(process.now)).isEmpty();
    assertThat(process.begin()).containsExactly("3/1");
  }

  @Test
  void what_is_never_retried_is_parked_at_once() {
    var process = new OneProcess(settings(SHARD)).read(3, 1, 1).read(19, 1, 2);
    process.begin();

    process.fail(new UnsupportedOperationException("never")).fail(new ParkException("no"));

    assertThat(names(process.park())).containsExactly("3/1 NEVER_RETRIED", "19/1 CALLBACK");
  }

  @ParameterizedTest
  @MethodSource("failures")
  void a_parked_record_names_the_class_of_what_was_thrown_whatever_it_was_parked_for(
      Exception failure, ParkReason verdict) {
    var process = new OneProcess(settings(SHARD)).read(3, 1, 1);
    process.begin();
    for (int attempt = 1; attempt < OneProcess.LIMIT && verdict.mayPass(); attempt++) {
      process.fail(failure).pass(10).begin();
    }
    process.fail(failure);

    var parked = process.park().cells().get(0);

    assertThat(parked.verdict()).isEqualTo(verdict);
    assertThat(header(parked, ParkedRecord.REASON_CLASS_HEADER))
        .isEqualTo(failure.getClass().getName());
    assertThat(header(parked, ParkedRecord.REASON_MESSAGE_HEADER)).isEqualTo(failure.getMessage());
  }

  static List<Arguments> failures() {
    return List.of(
        arguments(FAILURE, ParkReason.ATTEMPTS),
        arguments(new UnsupportedOperationException("never"), ParkReason.NEVER_RETRIED),
        arguments(new ParkException("no such card"), ParkReason.CALLBACK));
  }

  @Test
  void where_nothing_was_thrown_a_parked_record_names_no_class_and_says_why_in_words() {
    var noted = new CellAttempts(100, 1, OneProcess.LIMIT, Instant.EPOCH, Instant.EPOCH);
    var process =
        new OneProcess(settings(SHARD), new Assignment(100, "", Set.of(), Map.of(row(1), noted)));

    var parking = process.read(3, 1, 1).read(3, 2, 1).park();

    assertThat(names(parking)).containsExactly("3/1 DIED", "3/2 ROW");
    assertThat(parking.cells())
        .allSatisfy(cell -> assertThat(header(cell, ParkedRecord.REASON_CLASS_HEADER)).isEmpty())
        .extracting(cell -> header(cell, ParkedRecord.REASON_MESSAGE_HEADER))
        .containsExactly(
            "each process that called back with it ended meanwhile",
            "an earlier cell of its row is parked");
  }

  private static String header(Parking.Parked parked, String name) {
    var log = new ConsumerRecord<>(AT.topic(), AT.partition(), 100, new byte[1], new byte[1]);
    var told = parked.record(new TriggerName("billing"), Instant.EPOCH).of("trips.parked", log);
    return HeaderText.of(told.headers(), name).orElseThrow();
  }

  @Test
  void a_transaction_of_a_partition_that_was_lost_meanwhile_changes_nothing() {
    var process = new OneProcess(settings(SHARD)).read(3, 1, 1);
    process.begin();
    process.useUp();
    var parking = process.park();
    process.dispatcher.lost(AT);
    process.dispatcher.assign(AT, new Assignment(100, "", Set.of(), Map.of()));
    process.offset = 100;
    process.read(3, 1, 1);

    process.dispatcher.notParked(parking, process.now);

    assertThat(process.begin()).containsExactly("3/1");
    assertThat(process.pass(5).dispatcher.park(process.now)).isEmpty();
  }

  @Test
  void while_halted_nothing_is_parked_and_one_cell_at_a_time_is_tried() {
    var process = new OneProcess(settings(ROW));
    process.read(3, 1, 1).read(3, 2, 2).read(3, 3, 3);
    process.begin();
    process.fail(new ParkException("no")).fail(FAILURE).fail(FAILURE);
    process.dispatcher.halt(true, process.now);
    process.pass(1).read(3, 4, 4).read(3, 5, 5);

    assertThat(process.dispatcher.park(process.now)).isEmpty();
    assertThat(process.begin()).containsExactly("3/4");
    assertThat(process.begin()).isEmpty();
    process.fail(FAILURE);
    assertThat(process.begin()).isEmpty();
    assertThat(process.dispatcher.due()).contains(process.now.plusSeconds(2));
    assertThat(process.dispatcher.hasRecovered()).isFalse();

    assertThat(process.pass(2).begin()).containsExactly("3/5");
    process.succeed();
    assertThat(process.dispatcher.hasRecovered()).isTrue();
    process.dispatcher.halt(false, process.now);
    process.pass(10);
    assertThat(process.begin()).contains("3/4");
    assertThat(names(process.park())).containsExactly("3/1 CALLBACK");
  }

  @Test
  void what_fails_while_halted_uses_up_no_attempt() {
    var process = new OneProcess(settings(SHARD)).read(3, 1, 1);
    process.dispatcher.halt(true, process.now);
    for (int i = 0; i < 10; i++) {
      process.pass(20).begin();
      assertThat(process.running.get(0).cells.get(0).attempt()).isEqualTo(1);
      process.fail(FAILURE);
    }
    process.dispatcher.halt(false, process.now);

    assertThat(process.dispatcher.park(process.now)).isEmpty();
  }

  @Test
  void a_cell_that_used_up_its_attempts_before_the_trigger_halted_gets_another() {
    var process = new OneProcess(settings(SHARD)).read(3, 1, 1);
    process.begin();
    process.useUp();
    process.dispatcher.halt(true, process.now);

    assertThat(process.pass(1).begin()).containsExactly("3/1");
    process.succeed();

    assertThat(process.dispatcher.hasRecovered()).isTrue();
    assertThat(process.progress()).isEqualTo(101);
  }

  @Test
  void probes_go_round() {
    var process = new OneProcess(settings(SHARD));
    process.read(3, 1, 1).read(19, 1, 2);
    process.dispatcher.halt(true, process.now);
    var tried = new java.util.ArrayList<String>();
    for (int i = 0; i < 4; i++) {
      tried.addAll(process.pass(10).begin());
      process.fail(FAILURE);
    }

    assertThat(tried).containsExactly("3/1", "19/1", "3/1", "19/1");
  }
}
