package io.cellmesh.triggers;

import io.cellmesh.topics.trigger.ParkedRecord;
import io.cellmesh.topics.trigger.ParkedRow;
import io.cellmesh.topics.trigger.StateKey;
import io.cellmesh.topics.trigger.StateRecord;
import io.cellmesh.triggers.Transactions.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Parks what the dispatcher gives up on: the record, its row's marker and the group's place in one
 * transaction for all that waits.
 */
final class ParkingTransactions {
  private static final Logger LOG = LoggerFactory.getLogger(ParkingTransactions.class);

  private final TriggerOptions options;
  private final OwnedPartitions owned;
  private final SharedDispatcher dispatcher;
  private final Transactions transactions;
  private final TriggerFigures figures;

  ParkingTransactions(
      TriggerOptions options,
      OwnedPartitions owned,
      SharedDispatcher dispatcher,
      Transactions transactions,
      TriggerFigures figures) {
    this.options = options;
    this.owned = owned;
    this.dispatcher = dispatcher;
    this.transactions = transactions;
    this.figures = figures;
  }

  /** Parks what waits, if anything does; no commit may be under way, which might overtake it. */
  void park() throws InterruptedException {
    var waiting = dispatcher.with(Dispatcher::park);
    if (waiting.isEmpty()) {
      return;
    }
    var parking = waiting.get();
    var markers = new LinkedHashMap<TopicPartition, Map<UUID, ParkedRow>>();
    var outcome = Outcome.ABORTED;
    try {
      outcome = transactions.run(producer -> send(producer, parking, markers), parking.commits());
    } finally {
      end(parking, outcome, markers);
    }
  }

  /**
   * Parks a record that is none of the log, and goes on behind it; all before it must be finished.
   * It has no row, so it has no marker either, and nothing follows it.
   */
  void setAside(OwnedPartition partition) throws InterruptedException {
    var record = partition.damaged;
    var now = Instant.now();
    var parked =
        new ParkedRecord(
            options.name(), partition.damage, 0, now, now, partition.at, record.offset());
    var outcome =
        transactions.run(
            producer -> producer.send(parked.of(options.topics().parked(), record)),
            Map.of(partition.at, new Commit(record.offset() + 1, "")));
    if (outcome == Outcome.COMMITTED) {
      figures.countParked(1);
      LOG.warn(
          "Trigger {}: {} offset {} is no record of the log and is parked: {}",
          options.name(),
          partition.at,
          record.offset(),
          partition.damage.message());
    }
    // What is committed says where to go on, whatever became of it.
    owned.again(partition.at);
  }

  private void send(
      Producer<byte[], byte[]> producer,
      Parking parking,
      Map<TopicPartition, Map<UUID, ParkedRow>> markers)
      throws InterruptedException {
    var sent = new ArrayList<Future<RecordMetadata>>();
    for (var parked : parking.cells()) {
      sent.add(producer.send(parkedRecord(parked)));
    }
    markers.putAll(markers(parking, sent));
    markers.forEach(
        (at, rows) ->
            rows.forEach(
                (row, marker) ->
                    producer.send(
                        StateRecord.of(new StateKey.OfRow(options.name(), row), marker)
                            .in(options.topics().triggerState(), at.partition()))));
  }

  private void end(
      Parking parking, Outcome outcome, Map<TopicPartition, Map<UUID, ParkedRow>> markers) {
    if (outcome == Outcome.COMMITTED) {
      markers.forEach((at, rows) -> owned.get(at).orElseThrow().markers.putAll(rows));
      figures.countParked(parking.cells().size());
      parking.cells().forEach(this::tell);
    }
    dispatcher.feed(
        (core, now) -> {
          if (outcome == Outcome.COMMITTED) {
            core.parked(parking, now);
          } else {
            core.notParked(parking, now);
          }
          return null;
        });
    if (outcome == Outcome.UNKNOWN) {
      parking.commits().keySet().forEach(owned::again);
    }
  }

  private void tell(Parking.Parked parked) {
    if (parked.verdict() != ParkReason.ROW) {
      LOG.warn(
          "Trigger {} has parked row {} ({} offset {}, attempt {}): {}",
          options.name(),
          parked.cell().row,
          parked.partition(),
          parked.cell().offset,
          parked.cell().failed(),
          parked.reason().text());
    }
  }

  @SuppressWarnings("unchecked")
  private ProducerRecord<byte[], byte[]> parkedRecord(Parking.Parked parked) {
    return parked
        .record(options.name(), Instant.now())
        .of(options.topics().parked(), (ConsumerRecord<byte[], byte[]>) parked.cell().payload);
  }

  private Map<TopicPartition, Map<UUID, ParkedRow>> markers(
      Parking parking, List<Future<RecordMetadata>> sent) throws InterruptedException {
    var markers = new LinkedHashMap<TopicPartition, Map<UUID, ParkedRow>>();
    for (int i = 0; i < sent.size(); i++) {
      var parked = parking.cells().get(i);
      long offset = offset(sent.get(i));
      var rows = markers.computeIfAbsent(parked.partition(), at -> new LinkedHashMap<>());
      var before =
          rows.getOrDefault(
              parked.cell().row,
              owned.get(parked.partition()).orElseThrow().markers.get(parked.cell().row));
      rows.put(
          parked.cell().row,
          before == null
              ? new ParkedRow(offset, offset, offset, 1, Instant.now(), parked.reason())
              : before.and(offset));
    }
    return markers;
  }

  private static long offset(Future<RecordMetadata> sent) throws InterruptedException {
    try {
      return sent.get().offset();
    } catch (ExecutionException e) {
      throw new KafkaException(e.getCause().getMessage(), e.getCause());
    }
  }
}
