package io.cellmesh.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.LogOffset;
import io.cellmesh.cell.LogOffset.Place;
import io.cellmesh.cell.ShardSet;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;

class HeartbeatTest {
  private static final String GTIDS = "3e11fa47-71ca-11e1-9e33-c80aa9429562:1-80";

  private final ResumePoint point = new ResumePoint(new FakeTaskContext(), "trips.dc1.c1");
  private final Heartbeat heartbeat =
      new Heartbeat(new CellSourceConfig(Samples.settings()), point);

  @Test
  void there_is_none_right_behind_a_cell() {
    point.moveTo(LogOffset.after(GTIDS));

    assertThat(heartbeat.after(List.of(cell(LogOffset.after(GTIDS))))).isEmpty();
    assertThat(heartbeat.after(List.of())).isEmpty();
  }

  @Test
  void the_end_of_a_rebuild_is_told_at_once_and_carries_no_cell() {
    var last =
        new LogOffset(
            Optional.of(GTIDS), Optional.of(new Place(31, 9)), Optional.of(ShardSet.parse("31")));
    point.moveTo(LogOffset.after(GTIDS));
    assertThat(heartbeat.after(List.of(cell(last)))).isEmpty();

    var beat = heartbeat.after(List.of()).orElseThrow();

    assertThat(beat.topic()).isEqualTo("trips.heartbeat");
    assertThat(beat.key()).isEqualTo("c1".getBytes(StandardCharsets.UTF_8));
    assertThat(new String((byte[]) beat.value(), StandardCharsets.UTF_8))
        .startsWith("{\"cluster\":\"c1\",\"gtids\":\"" + GTIDS + "\",\"at\":\"");
    assertThat(beat.sourceOffset()).isEqualTo(LogOffset.after(GTIDS).stored());
    assertThat(heartbeat.after(List.of())).isEmpty();
  }

  @Test
  void last_words_leave_the_offset_where_it_was_told_however_far_was_read() {
    var told = LogOffset.within(GTIDS, new Place(31, 9));
    assertThat(heartbeat.after(List.of(cell(told)))).isEmpty();
    point.moveTo(LogOffset.after(GTIDS + "1"));

    var words = heartbeat.lastWords("a row can't be decoded");

    assertThat(words.topic()).isEqualTo("trips.heartbeat");
    assertThat(words.sourcePartition()).isEqualTo(point.partition());
    assertThat(words.sourceOffset()).isEqualTo(with(told, "a row can't be decoded"));
    var next = new FakeTaskContext();
    next.store(words);
    assertThat(new ResumePoint(next, "trips.dc1.c1").offset()).hasValue(told);
  }

  @Test
  void a_task_that_failed_before_it_knew_where_to_begin_leaves_no_offset() {
    var words = heartbeat.lastWords("no such instance");

    assertThat(words.sourceOffset()).isEqualTo(Map.of("failed", "no such instance"));
    var next = new FakeTaskContext();
    next.store(words);
    assertThat(new ResumePoint(next, "trips.dc1.c1").offset()).isEmpty();
  }

  private static Map<String, Object> with(LogOffset offset, String failure) {
    var stored = new HashMap<>(offset.stored());
    stored.put("failed", failure);
    return stored;
  }

  private static SourceRecord cell(LogOffset offset) {
    return new SourceRecord(Map.of(), offset.stored(), "trips.log", null, null);
  }
}
