package io.cellmesh.connect.sink;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.connect.sink.OffsetContinuity.Finding;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.Mark;
import io.cellmesh.storage.RecordDigest;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.Test;

class OffsetContinuityTest {
  private static final TopicPartition AT = new TopicPartition("trips.cells", 3);
  private static final Finding FOLLOWS = new Finding.Follows();

  private long logStart;
  private final OffsetContinuity continuity = new OffsetContinuity(at -> logStart);

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
    assertThat(continuity.read(AT)).isEqualTo(mark(110));
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
    continuity.rewindTo(AT, mark(100), 100);
    assertThat(continuity.judge(records(0, 10))).isEqualTo(new Finding.Changed(100));
  }

  @Test
  void a_new_owner_notices_a_recreated_topic_that_is_still_short() {
    continuity.begin(AT, mark(100));
    assertThat(continuity.judge(records(0, 10))).isEqualTo(new Finding.ReadFrom(99));
    continuity.keep();
    assertThat(continuity.judge(records(0, 10))).isEqualTo(new Finding.Changed(100));
  }

  @Test
  void a_marker_in_place_of_the_record_before_the_position_is_a_recreated_topic() {
    continuity.begin(AT, mark(100));
    assertThat(continuity.judge(records(0, 10))).isEqualTo(new Finding.ReadFrom(99));
    continuity.keep();
    assertThat(continuity.judge(records(100, 101))).isEqualTo(new Finding.Changed(100));
  }

  @Test
  void a_record_before_the_position_that_retention_took_is_none() {
    continuity.begin(AT, mark(100));
    assertThat(continuity.judge(records(100, 110))).isEqualTo(new Finding.ReadFrom(99));
    logStart = 100;
    assertThat(continuity.judge(records(100, 110))).isEqualTo(FOLLOWS);
  }

  @Test
  void records_that_come_again_since_the_delivery_failed_are_no_recreated_topic() {
    continuity.begin(AT, mark(100));
    continuity.keep();
    assertThat(continuity.judge(records(0, 10))).isEqualTo(new Finding.ReadFrom(99));
    continuity.undo();
    assertThat(continuity.judge(records(0, 10))).isEqualTo(new Finding.ReadFrom(99));
    continuity.keep();
    assertThat(continuity.judge(records(99, 110))).isEqualTo(new Finding.ReadFrom(0));
    continuity.undo();
    assertThat(continuity.judge(records(99, 110))).isEqualTo(new Finding.ReadFrom(0));
    continuity.keep();
    pass(records(0, 10));
    continuity.undo();
    pass(records(0, 10));
    continuity.keep();
    pass(records(10, 120));
  }

  @Test
  void the_pieces_of_a_delivery_that_failed_come_again_from_the_first_one() {
    continuity.begin(AT, Mark.START);
    continuity.keep();
    pass(records(0, 10));
    pass(records(10, 20));
    continuity.undo();
    pass(records(0, 10));
    pass(records(10, 20));
    pass(records(20, 30));
    continuity.keep();
    assertThat(continuity.read(AT)).isEqualTo(mark(30));
  }

  @Test
  void what_was_asked_for_comes_again_after_a_failure_and_is_still_what_was_asked_for() {
    continuity.begin(AT, Mark.START);
    pass(records(0, 100));
    continuity.keep();
    continuity.rewindTo(AT, mark(50), 0);
    continuity.keep();
    pass(records(49, 60));
    continuity.undo();
    assertThat(continuity.waits(AT)).isTrue();
    pass(records(49, 60));
    continuity.keep();
    assertThat(continuity.waits(AT)).isFalse();
  }

  @Test
  void nobody_has_read_up_to_a_position_that_only_another_primary_has_reached() {
    continuity.begin(AT, mark(100));
    continuity.judge(records(80, 90));
    continuity.judge(records(99, 110));
    pass(records(80, 90));
    assertThat(continuity.read(AT)).isEqualTo(mark(90));
  }

  @Test
  void what_expires_on_the_way_to_the_position_is_a_loss_and_is_named() {
    continuity.begin(AT, mark(100));
    continuity.judge(records(80, 90));
    continuity.judge(records(99, 110));
    pass(records(80, 90));
    logStart = 95;
    assertThat(continuity.judge(records(95, 98))).isEqualTo(new Finding.Expired(90, 95));
  }

  @Test
  void what_expires_while_its_delivery_fails_is_in_hand_and_not_lost() {
    continuity.begin(AT, Mark.START);
    pass(records(0, 10));
    continuity.keep();
    logStart = 20;
    assertThat(continuity.judge(records(12, 30))).isEqualTo(new Finding.Expired(10, 12));
  }

  @Test
  void a_rewind_before_reading_came_to_the_position_leaves_nothing_out() {
    continuity.begin(AT, mark(100));
    continuity.judge(records(80, 90));
    continuity.judge(records(99, 110));
    pass(records(80, 85));
    assertThat(continuity.rewindTo(AT, mark(90), 80)).isEqualTo(new Finding.ReadFrom(89));
    assertThat(continuity.judge(records(89, 110))).isEqualTo(new Finding.ReadFrom(85));
    pass(records(85, 120));
  }

  @Test
  void records_that_changed_beyond_the_place_of_a_rewind_are_noticed_when_they_come() {
    continuity.begin(AT, Mark.START);
    pass(records(0, 99));
    continuity.seen(another(99, 100));
    continuity.rewindTo(AT, mark(50), 0);
    pass(records(49, 60));
    assertThat(continuity.judge(records(60, 110))).isEqualTo(new Finding.Changed(100));
  }

  @Test
  void a_rewind_that_nobody_needs_any_more_is_taken_back() {
    continuity.begin(AT, Mark.START);
    pass(records(0, 100));
    continuity.rewindTo(AT, mark(50), 0);
    continuity.rewindTo(AT, mark(40), 0);
    assertThat(continuity.rewound(AT)).isTrue();
    assertThat(continuity.resume(AT, 0)).isEqualTo(100);
    logStart = 100;
    pass(records(100, 110));
  }

  @Test
  void a_rewind_of_a_partition_of_which_nothing_was_read_is_taken_back_to_its_start() {
    continuity.rewindTo(AT, mark(50), 100);
    assertThat(continuity.resume(AT, 100)).isEqualTo(100);
    assertThat(continuity.watches(AT)).isFalse();
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

  private static Batch.Range another(long first, long next) {
    var range = new Batch.Range(AT, IngestTopic.CELLS);
    for (long offset = first; offset < next; offset++) {
      range.seen(new SinkRecord(AT.topic(), 3, null, key(), null, value(-offset), offset));
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
