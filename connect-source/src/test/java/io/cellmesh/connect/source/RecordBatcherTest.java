package io.cellmesh.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.LogOffset;
import io.cellmesh.cell.LogOffset.Place;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Origin;
import io.cellmesh.cell.TopologyYaml;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;

class RecordBatcherTest {
  private static final String GTIDS = "3e11fa47-71ca-11e1-9e33-c80aa9429562:1-80";
  private static final LogOffset BEFORE = LogOffset.after(GTIDS);

  private final RecordBatcher batcher = batcher();
  private LogOffset reached = BEFORE;

  @Test
  void cells_of_one_partition_come_together_and_those_of_a_shard_in_their_order() {
    add(3, 1);
    add(2, 7);
    add(19, 4);
    add(3, 2);
    add(2, 8);

    assertThat(batcher.take())
        .extracting(RecordBatcherTest::place)
        .containsExactly("2/7", "2/8", "3/1", "19/4", "3/2");
  }

  @Test
  void only_the_last_record_moves_the_offset() {
    add(3, 1);
    add(2, 7);
    add(3, 2);
    var behind = LogOffset.within(GTIDS, new Place(3, 2));

    assertThat(batcher.take())
        .<Map<String, ?>>extracting(SourceRecord::sourceOffset)
        .isEqualTo(List.of(BEFORE.stored(), BEFORE.stored(), behind.stored()));
  }

  @Test
  void what_is_too_much_at_one_time_is_handed_out_in_the_order_of_the_binlog_piece_by_piece() {
    for (int i = 1; i <= 8; i++) {
      add(9 - i, i);
    }

    var first = batcher.take();
    assertThat(first).hasSizeBetween(2, 7);
    var end = first.size();
    assertThat(first)
        .extracting(RecordBatcherTest::place)
        .containsExactlyInAnyOrderElementsOf(
            IntStream.rangeClosed(1, end).mapToObj(i -> (9 - i) + "/" + i).toList());
    assertThat(first.get(end - 1).sourceOffset())
        .isEqualTo(LogOffset.within(GTIDS, new Place(9 - end, end)).stored());
    var second = batcher.take();
    assertThat(second.get(0).sourceOffset()).isEqualTo(first.get(end - 1).sourceOffset());
    while (!batcher.isEmpty()) {
      second = batcher.take();
    }
    assertThat(second.get(second.size() - 1).sourceOffset())
        .isEqualTo(LogOffset.within(GTIDS, new Place(1, 8)).stored());
    assertThat(batcher.take()).isEmpty();
  }

  @Test
  void a_columns_record_follows_its_cells_and_the_offset_moves_behind_the_last_of_all() {
    var withTrigger = batcher("BASE");
    add(withTrigger, 3, 1);
    add(withTrigger, 2, 7);
    add(withTrigger, 3, 2);
    var early = BEFORE.stored();
    var behind = LogOffset.within(GTIDS, new Place(3, 2)).stored();

    var records = withTrigger.take();
    assertThat(records)
        .extracting(record -> record.topic() + " " + place(record))
        .containsExactly(
            "trips.log 2/7",
            "trips.trigger.BASE 2/7",
            "trips.log 3/1",
            "trips.trigger.BASE 3/1",
            "trips.log 3/2",
            "trips.trigger.BASE 3/2");
    assertThat(records)
        .<Map<String, ?>>extracting(SourceRecord::sourceOffset)
        .isEqualTo(List.of(early, early, early, early, early, behind));
  }

  @Test
  void what_goes_out_at_one_time_is_measured_over_both_records() {
    var withTrigger = batcher("BASE");
    for (int i = 1; i <= 8; i++) {
      add(3, i);
    }
    reached = BEFORE;
    for (int i = 1; i <= 8; i++) {
      add(withTrigger, 3, i);
    }

    int alone = batcher.take().size();
    int both = withTrigger.take().size();
    assertThat(both).isBetween(alone, alone + 2);
  }

  private static RecordBatcher batcher(String... triggers) {
    var writer =
        new LogWriter(
            TopologyYaml.parse(Samples.TOPOLOGY),
            ShardTopics.PARTITION,
            List.of(triggers),
            Map.of("server", "c1"));
    return new RecordBatcher(writer, 1000);
  }

  private void add(int shard, long addedId) {
    add(batcher, shard, addedId);
  }

  private void add(RecordBatcher batcher, int shard, long addedId) {
    try {
      var cell =
          new Cell(
              new CellKey(new UUID(shard, addedId), "BASE", 1),
              Body.ofJson("1"),
              Optional.of(new Origin("dc1", addedId)));
      var behind = LogOffset.within(GTIDS, new Place(shard, addedId));
      var record = new LogRecord(cell, shard, addedId, Instant.EPOCH);
      batcher.add(record, Optional.empty(), reached, behind);
      reached = behind;
    } catch (InvalidCellException e) {
      throw new AssertionError(e);
    }
  }

  private static String place(SourceRecord record) {
    return header(record, "shard") + "/" + header(record, "added_id");
  }

  private static String header(SourceRecord record, String name) {
    return new String((byte[]) record.headers().lastWithName(name).value(), StandardCharsets.UTF_8);
  }
}
