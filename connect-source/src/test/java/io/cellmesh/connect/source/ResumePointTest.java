package io.cellmesh.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;

class ResumePointTest {
  private static final Map<String, String> PARTITION = Map.of("server", "trips.dc1.c1");

  private final FakeTaskContext connect = new FakeTaskContext();

  @Test
  void a_new_connector_begins_after_the_instances_creation() {
    var point = point();
    assertThat(point.isKnown()).isFalse();

    point.beginAfter("a:1-66");

    assertThat(point.offset(PARTITION))
        .containsEntry("gtids", "a:1-66")
        .containsEntry("file", "")
        .containsEntry("pos", 0L);
  }

  @Test
  void a_restarted_connector_begins_where_connect_says() {
    connect.store(record(Map.of("gtids", "a:1-80")));
    var point = point();

    assertThat(point.isKnown()).isTrue();
    assertThat(point.offsets(List.of(PARTITION)))
        .containsExactly(Map.entry(PARTITION, Map.of("gtids", "a:1-80")));
  }

  @Test
  void what_was_handed_out_counts_more_than_what_was_stored() {
    connect.store(record(Map.of("gtids", "a:1-80")));
    var point = point();

    point.passed(record(Map.of("gtids", "a:1-90", "event", 2L, "row", 1)));

    assertThat(point.offset(PARTITION)).containsEntry("gtids", "a:1-90").containsEntry("row", 1);
  }

  @Test
  void a_heartbeat_moves_it_only_between_transactions() {
    var point = point();
    point.passed(record(Map.of("gtids", "a:1-90", "event", 2L, "row", 3)));

    point.passedBetweenTransactions(record(Map.of("gtids", "a:1-90", "event", 2L)));
    assertThat(point.offset(PARTITION)).containsEntry("row", 3);

    point.passedBetweenTransactions(record(Map.of("gtids", "a:1-91")));
    assertThat(point.offset(PARTITION)).containsExactly(Map.entry("gtids", "a:1-91"));
  }

  private ResumePoint point() {
    return new ResumePoint(connect, "trips.dc1.c1");
  }

  private static SourceRecord record(Map<String, ?> offset) {
    return new SourceRecord(PARTITION, offset, "t", null, null);
  }
}
