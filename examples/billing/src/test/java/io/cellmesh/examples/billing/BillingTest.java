package io.cellmesh.examples.billing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Origin;
import io.cellmesh.triggers.ParkException;
import io.cellmesh.triggers.RetryLaterException;
import io.cellmesh.triggers.TriggeredCell;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.function.BiPredicate;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What billing does with a trip that comes once, again, or with a bad card. */
class BillingTest {
  private static final UUID TRIP = UUID.fromString("6f9619ff-8b86-d011-b42d-00cf4fc964ff");
  private static final String BASE = "{\"fare\":{\"amount\":12.50,\"currency\":\"DKK\"}}";

  private final MockProducer<byte[], byte[]> kafka =
      new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());

  @Test
  void a_trip_is_charged_and_the_STATUS_of_its_row_says_so() throws Exception {
    billing((trip, attempt) -> false).call(base(BASE));

    assertThat(kafka.history()).hasSize(1).allMatch(record -> record.topic().equals("trips.cells"));
    assertThat(new String(kafka.history().get(0).key(), UTF_8)).isEqualTo(TRIP.toString());
    assertThat(written()).containsExactly(status(1, "charged"));
  }

  @Test
  void a_fare_may_be_a_number() throws Exception {
    billing((trip, attempt) -> false).call(base("{\"fare\":12.50}"));

    assertThat(written()).containsExactly(status(1, "charged"));
  }

  @Test
  void a_declined_card_is_told_and_tried_again_with_the_next_ref_key() throws Exception {
    var billing = billing((trip, attempt) -> attempt <= 2);

    for (int attempt = 1; attempt <= 2; attempt++) {
      assertThatThrownBy(() -> billing.call(base(BASE)))
          .isInstanceOf(RetryLaterException.class)
          .hasMessage("the card was declined at attempt " + attempt);
    }
    billing.call(base(BASE));

    assertThat(written().stream().distinct())
        .containsExactly(status(1, "declined"), status(2, "declined"), status(3, "charged"));
  }

  @Test
  void a_trip_that_comes_again_is_not_charged_again_and_writes_the_same() throws Exception {
    var billing = billing((trip, attempt) -> false);
    billing.call(base(BASE));

    billing.call(base(BASE));
    billing.call(base("{\"fare\":9}"));

    assertThat(written()).hasSize(3).containsOnly(status(1, "charged"));
  }

  @Test
  void a_STATUS_that_was_not_written_is_written_when_the_trip_comes_again() throws Exception {
    var provider = new StandInProvider((trip, attempt) -> attempt == 1);
    var dead =
        new MockProducer<byte[], byte[]>(
            true, null, new ByteArraySerializer(), new ByteArraySerializer());
    dead.sendException = new KafkaException("not there");
    assertThatThrownBy(() -> new Billing(provider, dead, "trips.cells").call(base(BASE)))
        .isInstanceOf(KafkaException.class);

    new Billing(provider, kafka, "trips.cells").call(base(BASE));

    assertThat(written()).containsExactly(status(1, "declined"), status(2, "charged"));
  }

  @Test
  void a_trip_is_not_done_with_before_Kafka_has_accepted_its_STATUS() {
    var slow =
        new MockProducer<byte[], byte[]>(
            false, null, new ByteArraySerializer(), new ByteArraySerializer());
    var billing = new Billing(new StandInProvider((trip, number) -> false), slow, "trips.cells");
    var refusal = new Thread(() -> refuse(slow));
    refusal.start();

    assertThatThrownBy(() -> billing.call(base(BASE)))
        .isInstanceOf(ExecutionException.class)
        .hasMessageContaining("refused");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "3", "{\"fare\":\"12\"}", "{\"fare\":{}}", "{\"fare\":-1}"})
  void what_has_no_fare_is_parked_at_once_and_nothing_of_it_is_said(String body) {
    assertThatThrownBy(() -> billing((trip, attempt) -> false).call(base(body)))
        .isInstanceOf(ParkException.class)
        .hasMessage("fare, or fare.amount: must be a number that is not negative");
    assertThat(kafka.history()).isEmpty();
  }

  @Test
  void a_trip_for_nothing_and_one_that_costs_a_fortune_are_charged() {
    var billing = billing((trip, attempt) -> false);

    assertThatCode(() -> billing.call(base("{\"fare\":0}"))).doesNotThrowAnyException();
    assertThatCode(() -> billing.call(base("{\"fare\":1e400}"))).doesNotThrowAnyException();
  }

  private Billing billing(BiPredicate<UUID, Integer> declines) {
    return new Billing(new StandInProvider(declines), kafka, "trips.cells");
  }

  private List<String> written() {
    return kafka.history().stream()
        .map(ProducerRecord::value)
        .map(value -> new String(value, UTF_8))
        .toList();
  }

  private static String status(int attempt, String state) {
    return """
        {"v":1,"row_key":"%s","column_name":"STATUS","ref_key":%d,\
        "body":{"state":"%s","amount":12.5,"attempt":%d}}"""
        .formatted(TRIP, attempt, state, attempt);
  }

  private static TriggeredCell base(String json) throws Exception {
    var cell =
        new Cell(
            new CellKey(TRIP, "BASE", 1), Body.ofJson(json), Optional.of(new Origin("dc1", 7)));
    return new TriggeredCell(
        new LogRecord(cell, 16, 7, Instant.EPOCH), new TopicPartition("trips.log", 0), 3, 1, false);
  }

  private static void refuse(MockProducer<byte[], byte[]> producer) {
    while (!producer.errorNext(new KafkaException("refused"))) {
      Thread.onSpinWait();
    }
  }
}
