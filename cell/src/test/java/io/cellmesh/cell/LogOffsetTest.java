package io.cellmesh.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.LogOffset.Place;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LogOffsetTest {
  private static final String GTIDS = "3e11fa47-71ca-11e1-9e33-c80aa9429562:1-80";

  static Stream<LogOffset> offsets() {
    var shards = Optional.of(ShardSet.parse("17-31,40"));
    var place = Optional.of(new Place(17, 5000));
    return Stream.of(
        LogOffset.after(GTIDS),
        LogOffset.within(GTIDS, new Place(3, 7)),
        new LogOffset(Optional.empty(), Optional.empty(), shards),
        new LogOffset(Optional.of(GTIDS), place, shards));
  }

  @ParameterizedTest
  @MethodSource("offsets")
  void what_is_stored_is_read_back(LogOffset offset) {
    assertThat(LogOffset.parse(offset.stored())).isEqualTo(offset);
  }

  @Test
  void what_breaks_a_rule_is_refused_and_named() {
    refused(Map.of(), "gtids is missing");
    refused(Map.of("gtids", "nonsense"), "gtids: \"nonsense\" is no set of GTIDs");
    refused(Map.of("gtids", 7), "gtids: \"7\" is no text");
    refused(Map.of("gtids", GTIDS, "shard", 3), "shard and added_id come together");
    refused(
        Map.of("gtids", GTIDS, "shard", 3, "added_id", -1), "added_id: \"-1\" is no whole number");
    refused(Map.of("gtids", GTIDS, "shard", 3, "added_id", 1.5), "added_id: \"1.5\" is no whole");
    refused(Map.of("gtids", GTIDS, "shard", 1L << 40, "added_id", 1), "shard: \"1099511627776\"");
    refused(Map.of("rebuild", "x"), "rebuild: shards: \"x\" is not a range");
    refused(Map.of("rebuild", "17-31", "shard", 20, "added_id", 1), "not the first of rebuild, 17");
    refused(Map.of("pos", 4), "unknown field \"pos\"");
  }

  @Test
  void why_a_task_failed_is_no_offset_and_hides_none() {
    assertThat(LogOffset.read(Map.of())).isEmpty();
    assertThat(LogOffset.read(Map.of("failed", "why"))).isEmpty();
    assertThat(LogOffset.read(Map.of("failed", "why", "gtids", GTIDS)))
        .hasValue(LogOffset.after(GTIDS));
    assertThatThrownBy(() -> LogOffset.read(Map.of("failed", "why", "shard", 3)))
        .hasMessage("gtids is missing");
  }

  @Test
  void a_set_is_read_without_its_line_breaks() {
    var other = "4e11fa47-71ca-11e1-9e33-c80aa9429562:1";
    assertThat(LogOffset.parse(Map.of("gtids", GTIDS + ",\n" + other)))
        .isEqualTo(LogOffset.after(GTIDS + "," + other));
  }

  @Test
  void a_rebuild_is_fresh_until_a_task_has_begun_it() {
    assertThat(LogOffset.parse(Map.of("rebuild", "0-3")).isFreshRebuild()).isTrue();
    assertThat(LogOffset.parse(Map.of("rebuild", "0-3", "gtids", GTIDS)).isFreshRebuild())
        .isFalse();
    assertThat(LogOffset.after(GTIDS).isFreshRebuild()).isFalse();
  }

  private static void refused(Map<String, ?> stored, String why) {
    assertThatThrownBy(() -> LogOffset.parse(stored))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
  }
}
