package io.cellmesh.herb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Origin;
import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.Test;

/** What depends on the partition that a record was read from. */
class HerbProcessorTest {
  private static final Shards SHARDS = new Shards(64, 16);
  private static final UUID ROW = UUID.fromString("00000000-0000-4000-8000-000000000001");

  private final MockProcessorContext<byte[], byte[]> context = new MockProcessorContext<>();

  @Test
  void aCellInItsPartitionIsPassedOn() throws InvalidCellException {
    process(SHARDS.partitionOf(SHARDS.of(ROW)), true);
    assertThat(context.forwarded("mesh")).hasSize(1);
    assertThat(context.forwarded("rejected")).isEmpty();
  }

  @Test
  void aCellInAnotherPartitionThanItsOwnIsSetAside() throws InvalidCellException {
    process((SHARDS.partitionOf(SHARDS.of(ROW)) + 1) % 16, true);
    assertThat(context.forwarded("mesh")).isEmpty();
    assertThat(context.forwarded("rejected"))
        .singleElement()
        .satisfies(
            aside ->
                assertThat(
                        new String(
                            aside
                                .record()
                                .headers()
                                .lastHeader("__connect.errors.exception.message")
                                .value(),
                            StandardCharsets.UTF_8))
                    .isEqualTo(
                        "shard %d belongs into partition %d"
                            .formatted(SHARDS.of(ROW), SHARDS.partitionOf(SHARDS.of(ROW)))));
  }

  @Test
  void whereThePeerHasNotSaidHowItRoutesTheLinkHaltsOnIt() {
    int wrong = (SHARDS.partitionOf(SHARDS.of(ROW)) + 1) % 16;
    assertThatThrownBy(() -> process(wrong, false))
        .isInstanceOf(HaltException.class)
        .hasMessageContaining("trips.log-%d of dc2, offset 5".formatted(wrong))
        .hasMessageContaining("belongs into partition");
    assertThat(context.forwarded()).isEmpty();
  }

  private void process(int partition, boolean proven) throws InvalidCellException {
    var processor =
        new HerbProcessor(
            new LinkTerms("dc2", SHARDS, Set.of("dc1", "dc2"), proven),
            new Topics("trips"),
            new LinkFigures(),
            MeshWindow.none());
    context.setCurrentSystemTimeMs(0);
    processor.init(context);
    context.setRecordMetadata("trips.log", partition, 5);
    var key = new CellKey(ROW, "BASE", 1);
    var cell = new Cell(key, Body.ofJson("{}"), Optional.of(new Origin("dc2", 1)));
    processor.process(
        new Record<>(
            Envelope.key(key),
            Envelope.write(new LogRecord(cell, SHARDS.of(ROW), 1, Instant.EPOCH)),
            0));
  }
}
