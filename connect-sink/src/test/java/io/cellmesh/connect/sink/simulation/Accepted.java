package io.cellmesh.connect.sink.simulation;

import io.cellmesh.storage.Decision.Place;
import org.apache.kafka.connect.sink.SinkRecord;

/** A record that Kafka has accepted, and what became known of it. */
final class Accepted {
  private final ModelledKafka.Log log;
  private final SinkRecord record;
  private final Produced cell;
  final long acceptedAt;

  /** Whether it was told to be rejected. */
  boolean told;

  /** Since when it stands in one copy alone although others could have it. */
  long singleSince;

  Accepted(ModelledKafka.Log log, SinkRecord record, Produced cell, long acceptedAt) {
    this.log = log;
    this.record = record;
    this.cell = cell;
    this.acceptedAt = acceptedAt;
    this.singleSince = acceptedAt;
  }

  /** Whether MySQL takes it. */
  boolean fits() {
    return Cells.fits(cell.cell());
  }

  ModelledKafka.Log log() {
    return log;
  }

  SinkRecord record() {
    return record;
  }

  long offset() {
    return record.kafkaOffset();
  }

  int partition() {
    return log.at.partition();
  }

  /** Its cell; null if it is none. */
  Produced cell() {
    return cell;
  }

  Place place() {
    return new Place(ModelledKafka.topicId(log.at.topic()), partition(), offset());
  }

  @Override
  public String toString() {
    return log.at + "@" + offset() + (cell == null ? " (no cell)" : " " + cell);
  }
}
