package io.cellmesh.connect.sink;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Topology;
import io.cellmesh.connect.sink.base.MetricsHome;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.Mark;
import io.cellmesh.storage.Position;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GapHandlerTest {
  private static final IngestTopic CELLS = IngestTopic.CELLS;
  private static final TopicPartition AT = new TopicPartition("trips.cells", 3);

  private final Topology topology = TwoClusters.TOPOLOGY;
  private final Lanes lanes = new Lanes(topology);
  private final SinkMetrics metrics = new SinkMetrics(MetricsHome.nowhere(), topology);
  private final Map<TopicPartition, Long> rewinds = new HashMap<>();
  private long logStart;
  private boolean leftoversKnown = true;
  private final GapHandler gapHandler =
      new GapHandler(
          topology,
          new OffsetContinuity(at -> logStart),
          lanes,
          metrics,
          partition -> leftoversKnown);

  @AfterEach
  void close() {
    metrics.close();
  }

  @Test
  void records_that_expired_before_a_new_owner_came_stop_it_when_no_primary_has_them() {
    position("c1", 100);
    position("c2", 90);
    logStart = 140;
    assertThat(judge(140, 150).ranges()).isEmpty();
    assertThatThrownBy(() -> judge(140, 150)).isInstanceOf(RetriableException.class);
    position("c1", 100);
    position("c2", 90);
    assertThatThrownBy(() -> judge(140, 150))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("no longer has the records from 100 up to 140");
  }

  /** As a task does that was held up, and does not know yet that its partitions are another's. */
  @Test
  void what_others_wrote_meanwhile_is_looked_up_before_it_is_said_that_no_primary_has_it() {
    position("c1", 100);
    position("c2", 100);
    judge(100, 110);
    judge(99, 110);
    lane("c1").begin(CELLS, 99);
    lane("c2").begin(CELLS, 99);
    logStart = 140;
    assertThatThrownBy(() -> judge(140, 150)).isInstanceOf(RetriableException.class);
    position("c1", 140);
    position("c2", 140);
    assertThat(judge(140, 150).ranges()).hasSize(1);
  }

  @Test
  void records_that_expired_are_not_missed_before_the_buffers_have_said_what_they_have() {
    position("c1", 100);
    position("c2", 90);
    logStart = 140;
    leftoversKnown = false;
    judge(140, 150);
    assertThatThrownBy(() -> judge(140, 150)).isInstanceOf(RetriableException.class);
    lane("c1").left(CELLS, 140);
    lane("c2").left(CELLS, 140);
    leftoversKnown = true;
    assertThat(judge(140, 150).ranges()).hasSize(1);
  }

  @Test
  void a_topic_that_began_while_no_primary_answered_is_looked_at_as_soon_as_one_does() {
    assertThat(judge(0, 5).ranges()).hasSize(1);
    lane("c1").found(new Position(new Mark(100, 4711), Mark.START));
    assertThat(judge(5, 10).ranges()).isEmpty();
    assertThat(rewinds).containsEntry(AT, 99L);
    assertThatThrownBy(() -> judge(0, 10)).hasMessageContaining("is not the topic that was read");
  }

  @Test
  void a_primary_that_alone_lacks_what_expired_waits_alone() {
    position("c1", 200);
    position("c2", 90);
    logStart = 140;
    judge(200, 210);
    assertThat(judge(199, 210).ranges()).hasSize(1);
    lane("c1").begin(CELLS, 199);
    lane("c2").begin(CELLS, 199);
    gapHandler.rewind(new CatchUp.LaneGap(lane("c2"), CELLS), rewinds::putAll);
    assertThat(rewinds).containsEntry(AT, 89L);
    assertThat(judge(140, 150).ranges()).hasSize(1);
    assertThat(lane("c2").stuck(CELLS)).isTrue();
    assertThat(lane("c1").stuck(CELLS)).isFalse();
  }

  @Test
  void a_primary_that_lacks_what_expired_waits_also_if_its_gap_was_told_twice() {
    position("c1", 200);
    position("c2", 90);
    logStart = 140;
    judge(200, 210);
    gapHandler.seen(judge(199, 210));
    gapHandler.keep();
    for (var cluster : List.of("c1", "c2")) {
      lane(cluster).begin(CELLS, 199);
      lane(cluster).copied(CELLS, 210);
    }
    gapHandler.rewind(new CatchUp.LaneGap(lane("c2"), CELLS), rewinds::putAll);
    gapHandler.rewind(new CatchUp.LaneGap(lane("c2"), CELLS), rewinds::putAll);
    judge(140, 150);
    assertThat(lane("c2").stuck(CELLS)).as("its next copy must not claim 90 to 140").isTrue();
    assertThat(lane("c2").copied(CELLS)).isEqualTo(140);
  }

  @Test
  void what_an_earlier_owner_secured_is_missed_though_no_record_comes() {
    position("c1", 100);
    position("c2", 140);
    gapHandler.stands(AT, 140);
    leftoversKnown = false;
    gapHandler.tellStarts(topic -> IngestTopic.CELLS);
    assertThat(lane("c1").target(CELLS)).as("the buffers may have it").isEmpty();
    leftoversKnown = true;
    gapHandler.tellStarts(topic -> IngestTopic.CELLS);
    assertThat(lane("c1").target(CELLS)).hasValue(140);
    assertThat(lane("c2").target(CELLS)).isEmpty();
    gapHandler.rewind(new CatchUp.LaneGap(lane("c1"), CELLS), rewinds::putAll);
    assertThat(rewinds).containsEntry(AT, 99L);
    assertThat(lane("c1").target(CELLS)).hasValue(140);
  }

  @Test
  void lanes_are_told_once_where_reading_began_and_again_when_they_were_forgotten() {
    var asked = new ArrayList<String>();
    Function<String, IngestTopic> topics =
        name -> {
          asked.add(name);
          return name.equals(AT.topic()) ? CELLS : IngestTopic.MESH;
        };
    gapHandler.stands(AT, 140);
    gapHandler.stands(new TopicPartition("trips.mesh", 3), 7);
    gapHandler.tellStarts(topics);
    gapHandler.tellStarts(topics);
    assertThat(asked).containsExactlyInAnyOrder("trips.cells", "trips.mesh");

    lanes.forget(List.of(3));
    gapHandler.forget(AT);
    gapHandler.tellStarts(topics);
    assertThat(lane("c1").target(CELLS)).as("of a topic that is lost").isEmpty();
    assertThat(lane("c1").target(IngestTopic.MESH)).as("of one that is not").hasValue(7);
  }

  @Test
  void where_reading_begins_does_not_hide_what_has_expired_before_it() {
    position("c1", 100);
    position("c2", 90);
    logStart = 140;
    gapHandler.stands(AT, 140);
    gapHandler.tellStarts(topic -> IngestTopic.CELLS);
    judge(140, 150);
    assertThatThrownBy(() -> judge(140, 150)).isInstanceOf(RetriableException.class);
    position("c1", 100);
    position("c2", 90);
    assertThatThrownBy(() -> judge(140, 150))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("no longer has the records from 100 up to 140");
  }

  @Test
  void no_more_is_secured_than_the_lane_that_has_least() {
    position("c1", 100);
    position("c2", 100);
    judge(100, 120);
    assertThat(gapHandler.secured(AT, CELLS, 120)).as("before it was looked at").isEqualTo(99);
    judge(99, 120);
    lane("c1").begin(CELLS, 99);
    lane("c2").begin(CELLS, 99);
    lane("c1").copied(CELLS, 120);
    lane("c2").copied(CELLS, 110);
    assertThat(gapHandler.secured(AT, CELLS, 120)).isEqualTo(110);
    assertThat(gapHandler.secured(AT, CELLS, 105)).as("what was taken").isEqualTo(105);
    lane("c2").found(at(105));
    lane("c2").rewind(CELLS);
    assertThat(gapHandler.secured(AT, CELLS, 120)).isEqualTo(105);
  }

  private Batch judge(long first, long next) {
    var range = new Batch.Range(AT, CELLS);
    for (long offset = first; offset < next; offset++) {
      range.seen(new SinkRecord(AT.topic(), 3, null, bytes("key"), null, bytes("value"), offset));
    }
    var batch = gapHandler.judge(new Batch(List.of(range), List.of()), rewinds::putAll);
    gapHandler.keep();
    return batch;
  }

  private void position(String cluster, long next) {
    lane(cluster).found(at(next));
  }

  private static Position at(long next) {
    return new Position(new Mark(next, 0), Mark.START);
  }

  private Lane lane(String cluster) {
    return lanes.ofPartition(3).stream()
        .filter(lane -> lane.primary().name().equals(cluster))
        .findFirst()
        .orElseThrow();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
