package io.cellmesh.connect.sink.base;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is told of a rejected record, and what becomes of one that Kafka does not take. */
class RejectionsTest {
  private final List<ProducerRecord<byte[], byte[]>> told = new ArrayList<>();
  private final AtomicInteger withoutValue = new AtomicInteger();
  private final AtomicInteger producers = new AtomicInteger();

  /** What the broker says to a record; null if it takes it. */
  private Function<ProducerRecord<byte[], byte[]>, RuntimeException> broker = record -> null;

  /** Whether no broker's name can be resolved. */
  private boolean unresolved;

  private boolean unclosable;

  private final Rejections rejections =
      new Rejections(
          new DeadLetter.Sender("trips.rejected", "trips-sink", "3"),
          this::producer,
          withoutValue::incrementAndGet,
          Duration.ofMillis(50));

  @Test
  void a_rejected_record_is_the_original_to_the_byte_with_the_headers_of_connects_dead_letters() {
    rejections.reject(record(7, "value".getBytes(UTF_8)), new IllegalStateException("no cell"));
    rejections.await();

    var letter = told.get(0);
    assertThat(letter.topic()).isEqualTo("trips.rejected");
    assertThat(letter.key()).isEqualTo("key".getBytes(UTF_8));
    assertThat(letter.value()).isEqualTo("value".getBytes(UTF_8));
    assertThat(letter.headers().lastHeader("own").value()).containsExactly(0xff, 0x00);
    assertThat(header(letter, "__connect.errors.topic")).isEqualTo("trips.cells");
    assertThat(header(letter, "__connect.errors.partition")).isEqualTo("4");
    assertThat(header(letter, "__connect.errors.offset")).isEqualTo("7");
    assertThat(header(letter, "__connect.errors.connector.name")).isEqualTo("trips-sink");
    assertThat(header(letter, "__connect.errors.task.id")).isEqualTo("3");
    assertThat(header(letter, "__connect.errors.stage")).isEqualTo("TASK_PUT");
    assertThat(header(letter, "__connect.errors.class.name"))
        .isEqualTo("org.apache.kafka.connect.sink.SinkTask");
    assertThat(header(letter, "__connect.errors.exception.class.name"))
        .isEqualTo("java.lang.IllegalStateException");
    assertThat(header(letter, "__connect.errors.exception.message")).isEqualTo("no cell");
    assertThat(header(letter, "__connect.errors.exception.stacktrace"))
        .startsWith("java.lang.IllegalStateException: no cell");
  }

  @Test
  void it_is_as_old_as_its_rejection_and_says_when_the_original_was_written() {
    rejections.reject(record(7, "value".getBytes(UTF_8)), new Exception("no cell"));

    assertThat(told.get(0).timestamp()).isNull();
    assertThat(header(told.get(0), "__cellmesh.rejected.timestamp")).isEqualTo("1234567890123");
  }

  @Test
  void a_record_that_the_topic_can_not_take_is_told_without_its_value() {
    broker = letter -> letter.value() == null ? null : new RecordTooLargeException("too large");
    rejections.reject(record(7, "value".getBytes(UTF_8)), new Exception("no cell"));
    rejections.await();

    var letter = told.get(told.size() - 1);
    assertThat(letter.value()).isNull();
    assertThat(letter.key()).isEqualTo("key".getBytes(UTF_8));
    assertThat(header(letter, "__connect.errors.offset")).isEqualTo("7");
    assertThat(header(letter, "__cellmesh.rejected.value.size")).isEqualTo("5");
    assertThat(header(letter, "__cellmesh.rejected.value.sha256"))
        .isEqualTo("cd42404d52ad55ccfa9aca4adc828aa5800ad9d385a0671fbcbf724118320619");
    assertThat(withoutValue).hasValue(1);
  }

  @Test
  void a_record_whose_key_or_headers_are_too_large_as_well_is_told_by_its_place_and_reason() {
    broker = letter -> letter.key() == null ? null : new RecordTooLargeException("too large");
    rejections.reject(record(7, "value".getBytes(UTF_8)), new Exception("no cell"));
    rejections.await();

    var letter = told.get(told.size() - 1);
    assertThat(letter.headers().lastHeader("own")).isNull();
    assertThat(header(letter, "__connect.errors.exception.message")).isEqualTo("no cell");
    assertThat(header(letter, "__cellmesh.rejected.key.size")).isEqualTo("3");
    assertThat(header(letter, "__cellmesh.rejected.value.size")).isEqualTo("5");
    assertThat(withoutValue).hasValue(1);
  }

  @Test
  void what_an_outage_of_kafka_held_up_is_sent_again_and_nothing_is_committed_meanwhile() {
    broker = letter -> new TimeoutException("no broker");
    rejections.reject(record(7, null), new Exception("no cell"));
    rejections.reject(record(8, null), new Exception("no cell"));
    assertThatThrownBy(rejections::await)
        .isInstanceOf(RetriableException.class)
        .hasMessageContaining("trips.cells-4@7");
    assertThatThrownBy(rejections::await).isInstanceOf(RetriableException.class);

    broker = letter -> null;
    told.clear();
    rejections.await();
    assertThat(told).extracting(l -> header(l, "__connect.errors.offset")).contains("7", "8");
    assertThat(producers).as("producers").hasValue(1);
  }

  @Test
  void a_send_that_is_never_answered_is_waited_for_with_patience() {
    broker = letter -> new Unanswered();
    rejections.reject(record(7, null), new Exception("no cell"));
    assertThatThrownBy(rejections::await)
        .isInstanceOf(RetriableException.class)
        .hasMessageContaining("no answer");
  }

  @Test
  void what_waits_for_kafka_is_bounded_in_records() {
    broker = letter -> new Unanswered();
    for (int i = 0; i < Rejections.MOST_RECORDS; i++) {
      rejections.reject(record(i, null), new Exception("no cell"));
    }
    assertThatThrownBy(() -> rejections.reject(record(9999, null), new Exception("no cell")))
        .isInstanceOf(RetriableException.class);
    assertThat(told).hasSize(Rejections.MOST_RECORDS);
  }

  @Test
  void what_waits_for_kafka_is_bounded_in_bytes_but_for_a_single_record() {
    broker = letter -> new Unanswered();
    var large = new byte[(int) Rejections.MOST_BYTES + 1];
    rejections.reject(record(1, large), new Exception("no cell"));
    assertThatThrownBy(() -> rejections.reject(record(2, large), new Exception("no cell")))
        .isInstanceOf(RetriableException.class);
    assertThat(told).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_producer_that_has_failed_for_good_is_replaced_also_if_it_does_not_close_well(
      boolean unclosable) {
    this.unclosable = unclosable;
    broker = letter -> new KafkaException("fenced");
    rejections.reject(record(7, null), new Exception("no cell"));
    assertThatThrownBy(rejections::await).isInstanceOf(RetriableException.class);
    broker = letter -> null;
    rejections.await();
    assertThat(producers).hasValueGreaterThan(1);
  }

  @Test
  void while_no_producer_can_be_made_what_is_rejected_waits() {
    unresolved = true;
    rejections.reject(record(7, null), new Exception("no cell"));
    assertThatThrownBy(rejections::await).isInstanceOf(RetriableException.class);
    unresolved = false;
    rejections.await();
    assertThat(told).extracting(l -> header(l, "__connect.errors.offset")).containsExactly("7");
  }

  @Test
  void a_topic_that_may_not_be_written_to_stops_the_task_in_words() {
    broker = letter -> new TopicAuthorizationException("trips.rejected");
    rejections.reject(record(7, null), new Exception("no cell"));
    assertThatThrownBy(rejections::await)
        .isInstanceOf(ConnectException.class)
        .isNotInstanceOf(RetriableException.class)
        .hasMessageContaining("trips.rejected can't be written to");
  }

  @Test
  void a_converter_that_changes_bytes_is_named() {
    var text = new SinkRecord("trips.cells", 4, null, "key", null, new byte[0], 7);
    assertThatThrownBy(() -> rejections.reject(text, new Exception("no cell")))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("key.converter must be");
  }

  private MockProducer<byte[], byte[]> producer() {
    if (unresolved) {
      throw new KafkaException("no resolvable bootstrap urls");
    }
    producers.incrementAndGet();
    return new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer()) {
      @Override
      public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> letter) {
        told.add(letter);
        var refusal = broker.apply(letter);
        if (refusal instanceof Unanswered) {
          return new CompletableFuture<>();
        }
        return refusal == null
            ? CompletableFuture.completedFuture(
                new RecordMetadata(new TopicPartition("trips.rejected", 0), 0, 0, 0, 0, 0))
            : CompletableFuture.failedFuture(refusal);
      }

      @Override
      public void close(Duration timeout) {
        if (unclosable) {
          throw new KafkaException("Failed to close kafka producer");
        }
        super.close(timeout);
      }
    };
  }

  /** Stands for no answer. */
  private static final class Unanswered extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private static SinkRecord record(long offset, byte[] value) {
    var headers = new ConnectHeaders().addBytes("own", new byte[] {(byte) 0xff, 0});
    return new SinkRecord(
        "trips.cells",
        4,
        null,
        "key".getBytes(UTF_8),
        null,
        value,
        offset,
        1234567890123L,
        TimestampType.CREATE_TIME,
        headers);
  }

  private static String header(ProducerRecord<byte[], byte[]> letter, String name) {
    return new String(letter.headers().lastHeader(name).value(), UTF_8);
  }
}
