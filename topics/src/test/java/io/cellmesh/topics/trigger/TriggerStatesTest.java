package io.cellmesh.topics.trigger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class TriggerStatesTest {
  private static final TriggerName BILLING = new TriggerName("billing");
  private static final TriggerName MAIL = new TriggerName("mail");
  private static final UUID ROW = UUID.fromString("00000000-0000-4000-8000-00000000000a");
  private static final Instant AT = Instant.parse("2026-01-31T12:00:00Z");
  private static final Creation CREATION =
      Creation.of(new Definition("trips.log", List.of(), Order.ROW, new Start.Now()), 5, AT);

  private final TriggerStates states = TriggerStates.ofAll();

  @Test
  void the_last_word_on_a_key_counts_and_a_removal_takes_it_back() {
    var marker = new ParkedRow(1, 1, 1, 1, AT, new Reason("A", ""));
    tell(0, StateRecord.of(new StateKey.OfCreation(BILLING), CREATION));
    tell(0, StateRecord.of(new StateKey.OfCreation(BILLING), CREATION.asBegun()));
    tell(0, StateRecord.of(new StateKey.OfRow(BILLING, ROW), marker));
    tell(0, StateRecord.of(new StateKey.OfRow(BILLING, ROW), marker.and(4)));
    tell(0, StateRecord.of(new StateKey.OfPause(BILLING), new Pause("ann", AT)));
    tell(0, StateRecord.removal(new StateKey.OfPause(BILLING)));

    var partition = states.partition(BILLING, 0);
    assertThat(partition.creation()).hasValue(CREATION.asBegun());
    assertThat(partition.pause()).isEmpty();
    assertThat(partition.parked())
        .containsOnly(Map.entry(ROW, new ParkedRow(1, 1, 4, 2, AT, new Reason("A", ""))));

    tell(0, StateRecord.removal(new StateKey.OfRow(BILLING, ROW)));
    assertThat(partition.parked()).isEmpty();
  }

  @Test
  void requests_stand_in_the_order_in_which_they_came() {
    for (var id : List.of("b", "a", "c")) {
      tell(0, StateRecord.of(new StateKey.OfRequest(BILLING, id), new Request.ReplayAll("x", AT)));
    }
    tell(0, StateRecord.of(new StateKey.OfRequest(BILLING, "b"), new Request.Rewind("x", AT, 1)));
    tell(0, StateRecord.removal(new StateKey.OfRequest(BILLING, "a")));

    assertThat(states.partition(BILLING, 0).requests().keySet()).containsExactly("c", "b");
  }

  @Test
  void triggers_and_partitions_are_told_apart_and_what_a_later_version_adds_is_passed_over() {
    tell(0, StateRecord.of(new StateKey.OfCreation(MAIL), CREATION));
    tell(1, StateRecord.of(new StateKey.OfCreation(BILLING), CREATION));
    tell(1, StateRecord.of(new StateKey.OfPause(new TriggerName("gone")), new Pause("ann", AT)));
    states.accept(record(1, "billing|later|x", "not JSON"));

    assertThat(states.created()).containsExactly(BILLING, MAIL);
    assertThat(states.partitions(BILLING, 2))
        .extracting(partition -> partition.creation().isPresent())
        .containsExactly(false, true);
    states.release(1);
    assertThat(states.partition(BILLING, 1).creation()).isEmpty();
    assertThat(states.partition(MAIL, 0).creation()).isPresent();
  }

  @Test
  void a_damaged_record_stops_its_own_trigger_and_no_other_until_it_is_replaced() {
    var mail = TriggerStates.of(MAIL);
    for (var each : List.of(mail, states)) {
      each.accept(record(0, "billing|pause", "{}"));
      each.accept(record(0, "billing|row|x", "{}"));
    }
    mail.accept(record(0, "???", "{}"));

    assertThat(mail.partition(MAIL, 0).pause()).isEmpty();
    assertThat(mail.created()).isEmpty();
    assertThat(states.partition(MAIL, 0).pause()).isEmpty();
    assertThat(states.partition(BILLING, 1).pause()).isEmpty();
    assertThatThrownBy(() -> states.created()).isInstanceOf(DamagedRecordException.class);
    assertThatThrownBy(() -> states.partitions(BILLING, 2))
        .isInstanceOf(DamagedRecordException.class)
        .hasMessageContaining("v: missing");

    tell(0, StateRecord.of(new StateKey.OfPause(BILLING), new Pause("ann", AT)));
    assertThatThrownBy(() -> states.partition(BILLING, 0)).hasMessageContaining("key: the row");
    states.accept(
        new ConsumerRecord<>("trips.trigger-state", 0, 0, "billing|row|x".getBytes(), null));
    assertThat(states.partition(BILLING, 0).pause()).isPresent();
  }

  private void tell(int partition, StateRecord record) {
    var sent = record.in("trips.trigger-state", partition);
    states.accept(new ConsumerRecord<>(sent.topic(), partition, 0, sent.key(), sent.value()));
  }

  private static ConsumerRecord<byte[], byte[]> record(int partition, String key, String value) {
    return new ConsumerRecord<>(
        "trips.trigger-state",
        partition,
        0,
        key.getBytes(StandardCharsets.UTF_8),
        value.getBytes(StandardCharsets.UTF_8));
  }
}
