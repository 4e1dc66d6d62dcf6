package io.cellmesh.connect.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.LogOffset;
import io.cellmesh.cell.LogOffset.Place;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;

class ResumePointTest {
  private static final Map<String, String> PARTITION = Map.of("server", "trips.dc1.c1");
  private static final String A = "3e11fa47-71ca-11e1-9e33-c80aa9429562:";
  private static final String B = "4e11fa47-71ca-11e1-9e33-c80aa9429562:";

  private final FakeTaskContext connect = new FakeTaskContext();

  @Test
  void a_new_connector_knows_no_place() {
    assertThat(point().offset()).isEmpty();
    assertThat(point().offset(PARTITION)).isNull();
  }

  @Test
  void debezium_is_sent_to_the_beginning_of_the_transaction() {
    connect.store(new SourceRecord(PARTITION, within(7).stored(), "t", null, null));

    assertThat(point().offsets(List.of(PARTITION)))
        .containsExactly(Map.entry(PARTITION, Map.of("gtids", A + "1-80", "file", "", "pos", 0L)));
  }

  @Test
  void what_was_handed_out_counts_more_than_what_was_stored() {
    connect.store(new SourceRecord(PARTITION, within(7).stored(), "t", null, null));
    var point = point();

    point.passed(row(A + "1-90"), new Place(3, 9));

    assertThat(point.offset()).hasValue(LogOffset.within(A + "1-90", new Place(3, 9)));
  }

  @Test
  void events_and_rows_that_debezium_has_counted_are_forgotten_for_the_next_server() {
    var point = point();

    point.passed(row(A + "1-90"), new Place(3, 9));
    assertThat(point.offset(PARTITION))
        .isEqualTo(Map.of("gtids", A + "1-90", "file", "", "pos", 0L));
    point.passedTransactions(heartbeat(Map.of("gtids", A + "1-91", "event", 2L, "row", 1)));
    assertThat(point.offset(PARTITION))
        .isEqualTo(Map.of("gtids", A + "1-91", "file", "", "pos", 0L));
  }

  @Test
  void rows_of_the_transaction_that_are_in_the_log_are_told_by_their_place() {
    var point = within80();
    point.begin();

    assertThat(point.repeats(row(A + "1-80"), new Place(3, 6))).isTrue();
    assertThat(point.repeats(row(A + "1-80"), new Place(3, 7))).isTrue();
    assertThat(point.repeats(row(A + "1-80"), new Place(3, 8))).isFalse();
  }

  @Test
  void a_server_may_write_the_same_transactions_in_another_way() {
    var point = point();
    point.moveTo(LogOffset.within(B + "1-2," + A + "1-80", new Place(3, 7)));
    point.begin();

    assertThat(point.repeats(row(A + "1-80," + B + "1-2"), new Place(3, 7))).isTrue();

    point.passedTransactions(heartbeat(Map.of("gtids", A + "1-80," + B + "1-2")));
    assertThat(point.offset().flatMap(LogOffset::behind)).hasValue(new Place(3, 7));
  }

  @Test
  void a_transaction_without_the_row_that_is_in_the_log_stops_the_task() {
    var point = within80();
    point.begin();

    assertThatThrownBy(() -> point.repeats(row(A + "1-81"), new Place(3, 7)))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("added_id 7 of shard 3");
  }

  @Test
  void a_heartbeat_does_not_move_it_back_to_the_beginning_of_a_transaction() {
    var point = within80();

    point.passedTransactions(heartbeat(Map.of("gtids", A + "1-80", "event", 2L)));
    assertThat(point.offset()).hasValue(within(7));
    point.passedTransactions(heartbeat(Map.of("gtids", A + "1-80")));
    assertThat(point.offset()).hasValue(within(7));

    point.passedTransactions(heartbeat(Map.of("gtids", A + "1-81")));
    assertThat(point.offset()).hasValue(LogOffset.after(A + "1-81"));
  }

  @Test
  void a_stored_offset_that_is_none_is_refused() {
    connect.store(new SourceRecord(PARTITION, Map.of("lsn", 5L), "t", null, null));

    assertThatThrownBy(this::point)
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("unknown field \"lsn\"");
  }

  private ResumePoint within80() {
    var point = point();
    point.moveTo(within(7));
    return point;
  }

  private static LogOffset within(long addedId) {
    return LogOffset.within(A + "1-80", new Place(3, addedId));
  }

  private ResumePoint point() {
    return new ResumePoint(connect, "trips.dc1.c1");
  }

  private static SourceRecord row(String gtids) {
    return heartbeat(Map.of("gtids", gtids, "event", 2L, "row", 1));
  }

  private static SourceRecord heartbeat(Map<String, ?> offset) {
    return new SourceRecord(PARTITION, offset, "t", null, null);
  }
}
