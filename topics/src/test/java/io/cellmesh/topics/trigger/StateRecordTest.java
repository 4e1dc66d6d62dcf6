package io.cellmesh.topics.trigger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class StateRecordTest {
  private static final TriggerName NAME = new TriggerName("billing");
  private static final UUID ROW = UUID.fromString("00000000-0000-4000-8000-00000000000a");
  private static final Instant AT = Instant.parse("2026-01-31T12:00:00.123456Z");
  private static final Instant LATER = AT.plusSeconds(3);
  private static final Reason REASON = new Reason("java.io.IOException", "no \"way\"");

  static Stream<StateRecord> records() {
    var starts =
        Stream.of(
                new Start.Beginning(),
                new Start.Now(),
                new Start.Time(AT),
                new Start.Offsets(List.of(3L, 0L)))
            .map(start -> new Definition("trips.log", List.of("B", "A"), Order.ROW, start))
            .map(definition -> Creation.of(definition, 17, AT))
            .map(creation -> StateRecord.of(new StateKey.OfCreation(NAME), creation));
    var all = new Definition("trips.trigger.BASE", List.of(), Order.SHARD, new Start.Now());
    return Stream.concat(
        starts,
        Stream.of(
            StateRecord.of(new StateKey.OfCreation(NAME), Creation.of(all, 0, AT).asBegun()),
            StateRecord.of(new StateKey.OfRow(NAME, ROW), new ParkedRow(3, 5, 9, 4, AT, REASON)),
            StateRecord.of(
                new StateKey.OfAttempts(NAME, ROW), new CellAttempts(8, 4711, 3, AT, LATER)),
            StateRecord.of(new StateKey.OfPause(NAME), new Pause("ann", AT)),
            StateRecord.of(request(), new Request.Replay("ann", AT, ROW)),
            StateRecord.of(request(), new Request.ReplayAll("ann", AT)),
            StateRecord.of(request(), new Request.Discard("ann", AT, ROW)),
            StateRecord.of(request(), new Request.Rewind("ann", AT, 12)),
            StateRecord.of(new StateKey.OfHealth(NAME, "m"), health(Optional.of(REASON))),
            StateRecord.of(new StateKey.OfHealth(NAME, "m"), health(Optional.empty())),
            StateRecord.removal(new StateKey.OfPause(NAME))));
  }

  @ParameterizedTest
  @MethodSource("records")
  void each_record_is_read_as_it_was_written(StateRecord record) {
    var sent = record.in("trips.trigger-state", 1);

    assertThat(sent.partition()).isEqualTo(1);
    assertThat(StateRecord.read(stored(sent.key(), sent.value()))).isEqualTo(record);
  }

  @ParameterizedTest
  @MethodSource("records")
  void a_field_that_a_later_version_adds_is_passed_over(StateRecord record) {
    var sent = record.in("trips.trigger-state", 1);
    if (sent.value() != null) {
      var more = text(sent.value()).replaceFirst("\\}$", ",\"later\":{\"a\":[1]}}");

      assertThat(StateRecord.read(stored(sent.key(), bytes(more)))).isEqualTo(record);
    }
  }

  @Test
  void the_stored_form_is_the_one_that_other_versions_know() {
    var definition =
        new Definition("trips.log", List.of("BASE"), Order.SHARD, new Start.Beginning());
    assertThat(text(Creation.of(definition, 0, AT).toJson()))
        .isEqualTo(
            "{\"v\":1,\"topic\":\"trips.log\",\"columns\":[\"BASE\"],\"order\":\"shard\",\"start\":{\"at\":\"beginning\"},\"begin\":0,\"created_at\":\"2026-01-31T12:00:00.123456Z\",\"digest\":\"%s\",\"begun\":false}"
                .formatted(definition.digest()));
    assertThat(definition.digest())
        .isEqualTo("2fe73f0a7b158c3fea5bd708f91fda2e1f0b6ad589a06d1255745570bb25d58d");
    assertThat(text(new ParkedRow(3, 5, 9, 4, AT, REASON).toJson()))
        .isEqualTo(
            "{\"v\":1,\"first\":3,\"next\":5,\"last\":9,\"count\":4,\"since\":\"2026-01-31T12:00:00.123456Z\",\"reason\":{\"class\":\"java.io.IOException\",\"message\":\"no \\\"way\\\"\"}}");
    assertThat(text(new Request.Rewind("ann", AT, 12).toJson()))
        .isEqualTo(
            "{\"v\":1,\"do\":\"rewind\",\"by\":\"ann\",\"at\":\"2026-01-31T12:00:00.123456Z\",\"offset\":12}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "billing; {\"v\":1}; topic; topic: missing",
        "billing|pause; {\"v\":2,\"by\":\"a\",\"at\":\"2026-01-31T12:00:00Z\"}; v; v = 2: must be 1",
        "billing|pause; {\"by\":\"a\",\"at\":\"2026-01-31T12:00:00Z\"}; v; v: missing",
        "billing|pause; {\"v\":1,\"by\":\"a\",\"at\":\"noon\"}; at; at = \"noon\": must be a time",
        "billing|pause; {\"v\":1,\"by\":7,\"at\":\"2026-01-31T12:00:00Z\"}; by; by = 7: must be a text",
        "billing|pause; [1]; value; must be a JSON object",
        "billing|pause; {\"v\":1,; value; not JSON",
        "billing|pause; {\"v\":1,\"v\":1}; value; not JSON",
        "billing|request|r; {\"v\":1,\"do\":\"jump\",\"by\":\"a\",\"at\":\"2026-01-31T12:00:00Z\"}; do; do = \"jump\": must be replay",
        "billing|request|r; {\"v\":1,\"do\":\"rewind\",\"by\":\"a\",\"at\":\"2026-01-31T12:00:00Z\",\"offset\":-1}; offset; offset = -1: must be a whole number",
        "billing|row|x; {\"v\":1}; key; key: the row is not a UUID",
        "billing|row|00000000-0000-4000-8000-00000000000a; {\"v\":1,\"first\":1,\"next\":1,\"last\":1,\"count\":1,\"since\":\"2026-01-31T12:00:00Z\",\"reason\":{\"class\":\"A\"}}; reason.message; reason.message: missing"
      })
  void a_damaged_record_is_named_with_partition_offset_and_field(
      String key, String value, String field, String message) {
    assertThatThrownBy(() -> StateRecord.read(stored(bytes(key), bytes(value))))
        .asInstanceOf(type(DamagedRecordException.class))
        .satisfies(
            damaged -> {
              assertThat(damaged)
                  .hasMessageStartingWith("trips.trigger-state-1@42 can't be read: ")
                  .hasMessageContaining(message);
              assertThat(damaged.partition())
                  .isEqualTo(new TopicPartition("trips.trigger-state", 1));
              assertThat(damaged.offset()).isEqualTo(42);
              assertThat(damaged.field()).isEqualTo(field);
            });
  }

  @Test
  void a_long_value_of_a_damaged_field_is_shown_shortened() {
    var value = "{\"v\":1,\"by\":\"a\",\"at\":\"%s\"}".formatted("x".repeat(10_000));

    assertThatThrownBy(() -> StateRecord.read(stored(bytes("billing|pause"), bytes(value))))
        .satisfies(damaged -> assertThat(damaged.getMessage()).hasSizeLessThan(300));
  }

  @Test
  void a_reason_is_shortened_to_a_thousand_characters_and_none_is_cut_in_two() {
    var reason = Reason.of(new IllegalStateException("\uD83D\uDE97".repeat(2_000)));

    assertThat(reason.type()).isEqualTo("java.lang.IllegalStateException");
    assertThat(reason.message().codePointCount(0, reason.message().length())).isEqualTo(1_000);
    assertThat(reason.message()).endsWith("\uD83D\uDE97…");
    assertThat(Reason.of(new IllegalStateException()).message()).isEmpty();
    assertThat(new Reason("A", "x".repeat(1_000)).message()).hasSize(1_000).endsWith("x");
  }

  @Test
  void a_reason_is_one_line_with_the_class_if_something_was_thrown() {
    assertThat(Reason.of(new IllegalStateException("no")).text())
        .isEqualTo("java.lang.IllegalStateException: no");
    assertThat(Reason.of(new IllegalStateException()).text())
        .isEqualTo("java.lang.IllegalStateException");
    assertThat(Reason.of("in words").text()).isEqualTo("in words");
  }

  @Test
  void a_reason_can_be_told_of_an_exception_that_fails_when_it_is_asked_for_its_message() {
    var reason = Reason.of(new Mute());

    assertThat(reason.type()).isEqualTo(Mute.class.getName());
    assertThat(reason.message()).contains("java.lang.UnsupportedOperationException");
  }

  private static final class Mute extends Exception {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new UnsupportedOperationException("of a test");
    }
  }

  private static StateKey request() {
    return new StateKey.OfRequest(NAME, "r");
  }

  private static MemberHealth health(Optional<Reason> reason) {
    return new MemberHealth(
        AT, new MemberHealth.Seen(9, 7, 3), new MemberHealth.Seen(6, 5, 2), true, reason);
  }

  private static ConsumerRecord<byte[], byte[]> stored(byte[] key, byte[] value) {
    return new ConsumerRecord<>("trips.trigger-state", 1, 42, key, value);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
