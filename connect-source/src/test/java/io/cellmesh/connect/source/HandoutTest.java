package io.cellmesh.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Origin;
import io.cellmesh.cell.TopologyYaml;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;

class HandoutTest {
  private static final String GTIDS = "3e11fa47-71ca-11e1-9e33-c80aa9429562:1-80";
  private static final LogOffset BEFORE = LogOffset.after(GTIDS);

  private final LogWriter writer =
      new LogWriter(
          TopologyYaml.parse(Samples.TOPOLOGY), ShardTopics.PARTITION, Map.of("server", "c1"));
  private final Handout out = new Handout(writer, BEFORE);

  @Test
  void cells_of_one_partition_come_together_and_those_of_a_shard_in_their_order() {
    add(3, 1);
    add(2, 7);
    add(19, 4);
    add(3, 2);
    add(2, 8);

    assertThat(out.take())
        .extracting(HandoutTest::place)
        .containsExactly("2/7", "2/8", "3/1", "19/4", "3/2");
  }

  @Test
  void only_the_last_record_moves_the_offset() {
    add(3, 1);
    add(2, 7);
    add(3, 2);
    var behind = LogOffset.within(GTIDS, new Place(3, 2));

    assertThat(out.behind()).isEqualTo(behind);
    assertThat(out.take())
        .<Map<String, ?>>extracting(SourceRecord::sourceOffset)
        .isEqualTo(List.of(BEFORE.stored(), BEFORE.stored(), behind.stored()));
  }

  private void add(int shard, long addedId) {
    try {
      var cell =
          new Cell(
              new CellKey(new UUID(shard, addedId), "BASE", 1),
              Body.ofJson("1"),
              Optional.of(new Origin("dc1", addedId)));
      out.add(
          new LogRecord(cell, shard, addedId, Instant.EPOCH),
          LogOffset.within(GTIDS, new Place(shard, addedId)));
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
