package io.cellmesh.connect.sink;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.connect.sink.Continuity.Finding;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.Mark;
import io.cellmesh.storage.RecordDigest;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.Test;

class ContinuityTest {
  private static final TopicPartition AT = new TopicPartition("trips.cells", 3);
  private static final Finding FOLLOWS = new Finding.Follows();

  private long logStart;
  private final Continuity continuity = new Continuity(at -> logStart);

  @Test
  void a_new_topic_begins_at_its_first_record() {
    continuity.begin(AT, Mark.START);
    assertThat(continuity.judge(records(0, 5))).isEqualTo(FOLLOWS);
  }

  @Test
  void a_new_owner_looks_at_the_record_before_the_position_first() {
    continuity.begin(AT, mark(100));
    assertThat(continuity.judge(records(100, 120))).isEqualTo(new Finding.ReadFrom(99));
    assertThat(continuity.waits(AT)).isTrue();
    assertThat(continuity.judge(records(99, 120))).isEqualTo(FOLLOWS);
    assertThat(continuity.waits(AT)).isFalse();
  }

  @Test
  void a_new_owner_that_begins_earlier_looks_at_it_too_and_comes_back() {
    continuity.begin(AT, mark(100));
    assertThat(continuity.judge(records(80, 90))).isEqualTo(new Finding.ReadFrom(99));
    assertThat(continuity.judge(records(99, 110))).isEqualTo(new Finding.ReadFrom(80));
    assertThat(continuity.waits(AT)).isTrue();
    pass(records(80, 90));
    assertThat(continuity.waits(AT)).isFalse();
    pass(records(90, 110));
    assertThat(continuity.known(AT)).isEqualTo(mark(110));
  }

  @Test
  void another_record_before_the_position_is_a_recreated_topic() {
    continuity.begin(AT, new Mark(100, 4711));
    continuity.judge(records(100, 120));
    assertThat(continuity.judge(records(99, 120))).isEqualTo(new Finding.Changed(100));
    continuity.begin(AT, new Mark(100, 4711));
    assertThat(continuity.judge(records(50, 120))).isEqualTo(new Finding.Changed(100));
  }

  @Test
  void a_topic_that_ends_before_the_position_was_recreated_or_lost_its_end() {
    continuity.begin(AT, mark(100));
    continuity.rewindTo(AT, mark(100));
    assertThat(continuity.judge(records(0, 10))).isEqualTo(new Finding.Changed(100));
  }

  @Test
  void a_new_owner_notices_a_recreated_topic_that_is_still_short() {
    continuity.begin(AT, mark(100));
    assertThat(continuity.judge(records(0, 10))).isEqualTo(new Finding.ReadFrom(99));
    assertThat(continuity.judge(records(0, 10))).isEqualTo(new Finding.Changed(100));
  }

  @Test
  void offsets_that_were_reset_forward_lead_back_to_the_position() {
    continuity.begin(AT, mark(100));
    assertThat(continuity.judge(records(500, 510))).isEqualTo(new Finding.ReadFrom(99));
    assertThat(continuity.judge(records(99, 300))).isEqualTo(FOLLOWS);
  }

  @Test
  void retention_that_passed_the_position_is_a_loss_and_is_named() {
    logStart = 140;
    continuity.begin(AT, mark(100));
    continuity.judge(records(140, 150));
    assertThat(continuity.judge(records(140, 150))).isEqualTo(new Finding.Expired(100, 140));
  }

  @Test
  void retention_that_took_only_what_was_read_loses_nothing() {
    logStart = 100;
    continuity.begin(AT, mark(100));
    continuity.judge(records(102, 110));
    assertThat(continuity.judge(records(102, 110))).isEqualTo(FOLLOWS);
  }

  @Test
  void records_that_expired_before_anything_was_read_are_a_loss_too() {
    logStart = 7;
    continuity.begin(AT, Mark.START);
    assertThat(continuity.judge(records(7, 9))).isEqualTo(new Finding.ReadFrom(0));
    assertThat(continuity.judge(records(7, 9))).isEqualTo(new Finding.Expired(0, 7));
  }

  @Test
  void a_hole_in_the_middle_of_a_run_is_a_transaction_marker_or_a_loss() {
    continuity.begin(AT, Mark.START);
    pass(records(0, 10));
    assertThat(continuity.judge(records(12, 20))).isEqualTo(FOLLOWS);
    logStart = 12;
    assertThat(continuity.judge(records(12, 20))).isEqualTo(new Finding.Expired(10, 12));
  }

  @Test
  void the_same_records_again_are_no_surprise() {
    continuity.begin(AT, Mark.START);
    pass(records(0, 10));
    pass(records(0, 10));
    pass(records(10, 20));
  }

  @Test
  void going_back_in_the_middle_of_a_run_is_looked_into() {
    continuity.begin(AT, Mark.START);
    pass(records(0, 100));
    assertThat(continuity.judge(records(0, 5))).isEqualTo(new Finding.ReadFrom(99));
    assertThat(continuity.judge(records(0, 5))).isEqualTo(new Finding.Changed(100));
  }

  @Test
  void a_position_whose_record_is_not_known_is_taken_as_it_is() {
    continuity.begin(AT, new Mark(100, 0));
    continuity.judge(records(100, 101));
    assertThat(continuity.judge(records(99, 101))).isEqualTo(FOLLOWS);
  }

  private void pass(Batch.Range range) {
    assertThat(continuity.judge(range)).isEqualTo(FOLLOWS);
    continuity.seen(range);
  }

  /** Where a run stands that has read up to an offset. */
  private static Mark mark(long next) {
    return new Mark(next, RecordDigest.of(key(), value(next - 1)));
  }

  private static Batch.Range records(long first, long next) {
    var range = new Batch.Range(AT, IngestTopic.CELLS);
    for (long offset = first; offset < next; offset++) {
      range.seen(new SinkRecord(AT.topic(), 3, null, key(), null, value(offset), offset));
    }
    return range;
  }

  private static byte[] key() {
    return "key".getBytes(UTF_8);
  }

  private static byte[] value(long offset) {
    return ("value " + offset).getBytes(UTF_8);
  }
}
