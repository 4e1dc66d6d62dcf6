package io.cellmesh.index;

import io.cellmesh.cell.UuidBytes;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexEntry;
import io.cellmesh.cell.index.IndexEntryCodec;
import io.cellmesh.cell.index.IndexRow;
import io.cellmesh.cell.index.LogCell;
import io.cellmesh.cell.index.MisfitException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
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
  private final Map<String, List<Index>> byColumn;
  private final Map<String, Set<String>> fields;
  private final RowStates states;
  private final AtomicLong lagMs;
  private ProcessorContext<byte[], byte[]> context;
  private KeyValueStore<Bytes, byte[]> rows;
  private Unindexed unindexed;

  /**
   * @param lagMs is told how old each record is when it is processed
   */
  IndexProcessor(List<IndexDefinition> definitions, AtomicLong lagMs) {
    this.byColumn = new HashMap<>();
    this.fields = new HashMap<>();
    for (int i = 0; i < definitions.size(); i++) {
      var index = new Index(i, definitions.get(i));
      for (var column : index.definition.columns()) {
        byColumn.computeIfAbsent(column.columnKey(), c -> new ArrayList<>()).add(index);
        var names = fields.computeIfAbsent(column.columnKey(), c -> new HashSet<>());
        column.fields().forEach(f -> names.add(f.path().get(0)));
      }
    }
    this.states = new RowStates(definitions);
    this.lagMs = lagMs;
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
      cell = LogCell.read(log.value(), fields);
    } catch (MisfitException e) {
      unindexed.unreadable(log, e);
      return;
    } catch (RuntimeException e) {
      unindexed.unprocessable(log, "", e);
      return;
    }
    cell.ifPresent(c -> process(c, log));
    lagMs.setOpaque(Math.max(0, context.currentSystemTimeMs() - log.timestamp()));
  }

  private void process(LogCell cell, Record<byte[], byte[]> log) {
    var key = stateKey(cell.rowKey());
    var known = known(cell, key);
    boolean kept = false;
    for (var index : byColumn.get(cell.columnName())) {
      kept |= process(index, cell, log, known);
    }
    if (kept) {
      rows.put(key, states.join(known));
    }
  }

  /**
   * Puts the index's row in the place of the known one; returns whether it is to be stored. All of
   * its records are made before the first is forwarded.
   */
  private boolean process(Index index, LogCell cell, Record<byte[], byte[]> log, byte[][] known) {
    var row = row(index, cell, known[index.place]);
    IndexRow.Change change;
    List<Record<byte[], byte[]>> records;
    try {
      change = row.apply(cell.columnName(), cell.refKey(), cell.body());
      records = change.entries().stream().map(e -> index.record(e, log)).toList();
    } catch (MisfitException e) {
      unindexed.misfit(log, index.definition.label(), cell, e);
      return false;
    } catch (RuntimeException e) {
      unindexed.unprocessable(log, index.definition.label(), e);
      return false;
    }
    records.forEach(record -> context.forward(record, index.sink));
    if (!change.kept()) {
      return false;
    }
    known[index.place] = change.row().toBytes();
    return true;
  }

  private byte[][] known(LogCell cell, Bytes key) {
    try {
      return states.split(rows.get(key));
    } catch (IllegalStateException e) {
      throw damaged(cell, e);
    }
  }

  private IndexRow row(Index index, LogCell cell, byte[] stored) {
    if (stored == null) {
      return IndexRow.empty(index.definition, cell.rowKey());
    }
    try {
      return IndexRow.ofBytes(index.definition, cell.rowKey(), stored);
    } catch (IllegalStateException e) {
      throw damaged(cell, e);
    }
  }

  /** Ends the thread; {@link DamagedStates} decides what comes then. */
  private DamagedStateException damaged(LogCell cell, IllegalStateException reason) {
    int partition = context.taskId().partition();
    return new DamagedStateException(
        "row %s, partition %d: %s".formatted(cell.rowKey(), partition, reason.getMessage()),
        partition);
  }

  static Bytes stateKey(UUID rowKey) {
    return Bytes.wrap(UuidBytes.of(rowKey));
  }

  /**
   * One index and what is derived from its definition.
   *
   * @param place among the indexes of the pass
   */
  private record Index(int place, IndexDefinition definition, IndexEntryCodec codec, String sink) {
    Index(int place, IndexDefinition definition) {
      this(place, definition, new IndexEntryCodec(definition), IndexTopology.sink(definition));
    }

    Record<byte[], byte[]> record(IndexEntry entry, Record<byte[], byte[]> log) {
      var record = log.withKey(codec.key(entry)).withValue(codec.value(entry));
      return record.withHeaders(null);
    }
  }
}
