package io.cellmesh.connect.sink.base;

import io.cellmesh.connect.converter.ConvertedValue;
import io.cellmesh.storage.Packet;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * A record as it stands in its own topic, to the byte.
 *
 * @param timestamp in milliseconds, if it has one
 */
public record Original(
    TopicPartition at,
    long offset,
    Optional<Long> timestamp,
    byte[] key,
    byte[] value,
    List<Header> headers) {

  /**
   * Takes over what a task was given.
   *
   * @throws ConnectException if a converter has changed the key or the value, naming its setting
   */
  public static Original of(SinkRecord record) {
    var headers = new ArrayList<Header>();
    record.headers().forEach(h -> headers.add(new RecordHeader(h.key(), bytes(h.value()))));
    return new Original(
        partitionOf(record),
        record.originalKafkaOffset(),
        Optional.ofNullable(record.timestamp()).filter(millis -> millis >= 0),
        bytes(Converters.KEY, record.key()),
        bytes(Converters.VALUE, record.value()),
        headers);
  }

  /** The topic's partition that a record came from, whatever it was made into on the way. */
  public static TopicPartition partitionOf(SinkRecord record) {
    return new TopicPartition(record.originalTopic(), record.originalKafkaPartition());
  }

  /** Bytes of memory that it holds, without what is the same for all. */
  public long size() {
    long size = length(key) + length(value);
    for (var header : headers) {
      size += Packet.ofHeader(header.key(), header.value());
    }
    return size;
  }

  /** The bytes of a key or a value as they stand in the topic; those of nothing are nothing. */
  public static byte[] bytes(String setting, Object value) {
    if (value == null || value instanceof byte[]) {
      return (byte[]) value;
    }
    if (value instanceof ConvertedValue converted) {
      return converted.original();
    }
    throw new ConnectException(setting + " " + Converters.rule());
  }

  /** Another converter than the shipped one has made a value of a header's bytes. */
  private static byte[] bytes(Object header) {
    return header == null || header instanceof byte[]
        ? (byte[]) header
        : header.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static long length(byte[] bytes) {
    return bytes == null ? 0 : bytes.length;
  }
}
