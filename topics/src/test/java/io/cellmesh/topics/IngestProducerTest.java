package io.cellmesh.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Cell;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.Topics;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.topics.load.CellInput;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class IngestProducerTest {
  private static final String ROW = "6d1f3c1e-5a52-4f0e-9a3b-2c8d5b1f7e40";

  private final MockProducer<byte[], byte[]> kafka =
      new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());
  private final IngestProducer producer =
      new IngestProducer(new KafkaAccess("k1:9093", Map.of()), new Topics("trips"), kafka);

  @Test
  void each_cell_is_told_its_own_place_once_it_is_acknowledged() throws Exception {
    var one = producer.send(cell(1));
    var two = producer.send(cell(2));
    assertThat(one).isNotDone();

    kafka.completeNext();
    assertThat(one.get().offset()).isZero();
    assertThat(two).isNotDone();
    kafka.completeNext();
    assertThat(two.get().offset()).isEqualTo(1);
    assertThat(kafka.history()).extracting(r -> r.topic()).containsOnly("trips.cells");
    assertThat(kafka.history().get(0).key()).asString().isEqualTo(ROW);
  }

  @Test
  void one_that_fails_says_nothing_about_the_next() throws Exception {
    var failed = producer.send(cell(1));
    kafka.errorNext(new TimeoutException("too late"));
    assertThatThrownBy(failed::get).hasCauseInstanceOf(KafkaException.class);

    var next = producer.send(cell(2));
    kafka.completeNext();
    assertThat(next.get()).isNotNull();
  }

  @Test
  void what_the_producer_throws_at_once_is_the_callers_failure_too() {
    kafka.sendException = new TimeoutException("no metadata");

    assertThatThrownBy(() -> producer.send(cell(1)).get()).hasMessageContaining("no metadata");
  }

  @Test
  void who_may_not_write_is_named_with_the_right_that_is_missing() {
    var refused = producer.send(cell(1));
    kafka.errorNext(new TopicAuthorizationException(Set.of("trips.cells")));

    assertThatThrownBy(refused::get).hasMessageContaining("may not Write topic trips.cells");
  }

  @Test
  void who_may_not_know_where_the_topic_is_is_named_before_the_first_cell() {
    kafka.partitionsForException = new TopicAuthorizationException(Set.of("trips.cells"));

    assertThatThrownBy(producer::prepare)
        .hasMessageContaining("may not Describe topic trips.cells");
  }

  private static Cell cell(long ref) {
    try {
      return CellInput.parse(ROW, "BASE", Long.toString(ref), "{}");
    } catch (InvalidCellException e) {
      throw new AssertionError(e);
    }
  }
}
