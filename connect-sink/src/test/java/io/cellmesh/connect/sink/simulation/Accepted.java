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

  /** Whether two servers had it at some time since it was secured. */
  boolean twice;

  Accepted(ModelledKafka.Log log, SinkRecord record, Produced cell, long acceptedAt) {
    this.log = log;
    this.record = record;
    this.cell = cell;
    this.acceptedAt = acceptedAt;
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
