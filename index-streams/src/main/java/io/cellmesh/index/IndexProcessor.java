package io.cellmesh.index;

import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexEntryCodec;
import io.cellmesh.cell.index.IndexRow;
import io.cellmesh.cell.index.LogCell;
import io.cellmesh.cell.index.MisfitException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Takes each cell of the log into the rows of the indexes that look at its column, and forwards the
 * entries. What fits no index goes to the unindexed and stops nothing.
 */
final class IndexProcessor implements Processor<byte[], byte[], byte[], byte[]> {
  private final List<Index> indexes;
  private final Set<String> columns;
  private ProcessorContext<byte[], byte[]> context;
  private KeyValueStore<Bytes, byte[]> rows;
  private Unindexed unindexed;

  IndexProcessor(List<IndexDefinition> definitions) {
    this.indexes = definitions.stream().map(Index::new).toList();
    this.columns =
        definitions.stream()
            .flatMap(d -> d.columns().stream())
            .map(c -> c.columnKey())
            .collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public void init(ProcessorContext<byte[], byte[]> context) {
    this.context = context;
    this.rows = context.getStateStore(IndexTopology.ROWS);
    this.unindexed = new Unindexed(context);
  }

  @Override
  public void process(Record<byte[], byte[]> log) {
    Optional<LogCell> cell;
    try {
      cell = LogCell.read(log.value(), columns);
    } catch (MisfitException e) {
      unindexed.unreadable(log, e);
      return;
    }
    cell.ifPresent(c -> indexes.forEach(index -> process(index, c, log)));
  }

  private void process(Index index, LogCell cell, Record<byte[], byte[]> log) {
    if (index.definition.columnOf(cell.columnName()) < 0) {
      return;
    }
    var key = index.rowKey(cell.rowKey());
    var stored = rows.get(key);
    var row =
        stored == null
            ? IndexRow.empty(index.definition, cell.rowKey())
            : IndexRow.ofBytes(index.definition, cell.rowKey(), stored);
    IndexRow.Change change;
    try {
      change = row.apply(cell.columnName(), cell.refKey(), cell.body());
    } catch (MisfitException e) {
      unindexed.misfit(log, index.definition.label(), cell, e);
      return;
    }
    if (change.row() != row) {
      rows.put(key, change.row().toBytes());
    }
    for (var entry : change.entries()) {
      var record = log.withKey(index.codec.key(entry)).withValue(index.codec.value(entry));
      context.forward(record.withHeaders(null), index.sink);
    }
  }

  /** One index and what is derived from its definition. */
  private static final class Index {
    private final IndexDefinition definition;
    private final IndexEntryCodec codec;
    private final String sink;
    private final byte[] name;

    Index(IndexDefinition definition) {
      this.definition = definition;
      this.codec = new IndexEntryCodec(definition);
      this.sink = IndexTopology.sink(definition);
      this.name = definition.label().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * The 16 bytes of the row_key, then the index's name: unambiguous, since the first part is
     * fixed.
     */
    Bytes rowKey(UUID rowKey) {
      return Bytes.wrap(
          ByteBuffer.allocate(16 + name.length)
              .putLong(rowKey.getMostSignificantBits())
              .putLong(rowKey.getLeastSignificantBits())
              .put(name)
              .array());
    }
  }
}
