package io.cellmesh.operations.trigger;

import io.cellmesh.cell.EnvelopeReader;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.operations.OperationException;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.trigger.ParkedReader;
import io.cellmesh.topics.trigger.ParkedRecord;
import io.cellmesh.topics.trigger.ParkedRow;
import io.cellmesh.topics.trigger.TriggerName;
import io.cellmesh.topics.trigger.TriggerPartition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** What a trigger gave up on and is still to be replayed or discarded. */
public final class ParkedCells {
  private final TriggerSite site;
  private final TriggerName name;
  private final List<TriggerPartition> partitions;

  private ParkedCells(TriggerSite site, TriggerName name, List<TriggerPartition> partitions) {
    this.site = site;
    this.name = name;
    this.partitions = partitions;
  }

  /**
   * Reads which rows are parked.
   *
   * @throws OperationException if there is no such trigger
   */
  public static ParkedCells of(TriggerSite site, TriggerName name) throws InterruptedException {
    return new ParkedCells(site, name, site.need(name));
  }

  /** A row that is parked. */
  public record Row(UUID row, int partition, ParkedRow marker) {}

  /**
   * A cell that is parked.
   *
   * @param offset in the row's partition of the parked records
   * @param cell empty if the record is none that this version can read
   */
  public record Cell(long offset, ParkedRecord why, Optional<LogRecord> cell) {}

  /** The rows, the longest parked first. */
  public List<Row> rows() {
    var rows = new ArrayList<Row>();
    for (int number = 0; number < partitions.size(); number++) {
      for (var parked : partitions.get(number).parked().entrySet()) {
        rows.add(new Row(parked.getKey(), number, parked.getValue()));
      }
    }
    rows.sort(Comparator.comparing((Row row) -> row.marker().since()).thenComparing(Row::row));
    return rows;
  }

  /**
   * Hands on the cells of a row, in the order of its log.
   *
   * @throws OperationException if the row is not parked
   */
  public void read(UUID row, Consumer<Cell> sink) {
    int partition = site.partitionOf(row);
    var marker = partitions.get(partition).parked().get(row);
    if (marker == null) {
      throw OperationException.failed(
          "row %s is not parked by trigger %s; `cellmesh trigger parked ls %s` shows the rows that are"
              .formatted(row, name, name));
    }
    read(Map.of(partition, Map.of(row, marker)), sink);
  }

  /** Hands on the cells of all rows, partition by partition. */
  public void readAll(Consumer<Cell> sink) {
    var all = new TreeMap<Integer, Map<UUID, ParkedRow>>();
    for (int number = 0; number < partitions.size(); number++) {
      all.put(number, partitions.get(number).parked());
    }
    read(all, sink);
  }

  private void read(Map<Integer, Map<UUID, ParkedRow>> rows, Consumer<Cell> sink) {
    try (var client = Consumers.open(site.kafka());
        var envelopes = EnvelopeReader.lenient()) {
      var reader = new ParkedReader(client, site.topics().parked(), name);
      rows.forEach(
          (partition, of) ->
              reader.read(
                  partition,
                  of,
                  record ->
                      sink.accept(
                          new Cell(
                              record.offset(),
                              ParkedRecord.read(record),
                              cell(envelopes, record)))));
    }
  }

  private static Optional<LogRecord> cell(
      EnvelopeReader envelopes, ConsumerRecord<byte[], byte[]> record) {
    try {
      return Optional.of(envelopes.readLog(record.key(), record.value()));
    } catch (InvalidCellException e) {
      return Optional.empty();
    }
  }
}
