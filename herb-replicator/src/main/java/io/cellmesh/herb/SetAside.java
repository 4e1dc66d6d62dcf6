package io.cellmesh.herb;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * Makes the record for {@code trips.rejected} of a record that a link can't pass on: to the byte,
 * and after its own headers those that the sink's rejections have, with the reason, its place and
 * the peer whose log that is in (invariant 11). It bears the time of its rejection, so that it is
 * kept as long as if it were new.
 */
final class SetAside {
  /** The topic takes 4 MiB; what the headers need is far below the rest. */
  private static final int MAX_BYTES = (4 << 20) - (64 << 10);

  private static final String CONNECTS = "__connect.errors.";
  private static final String OURS = "__cellmesh.rejected.";

  private SetAside() {}

  /**
   * What is larger than the topic allows is named by its size and SHA-256.
   *
   * @param topic of the rejected
   * @param now milliseconds since 1970
   */
  static ProducerRecord<byte[], byte[]> of(
      ConsumerRecord<byte[], byte[]> log, String topic, String peer, String reason, long now) {
    boolean whole = size(log) <= MAX_BYTES;
    var headers = whole ? new RecordHeaders(log.headers().toArray()) : new RecordHeaders();
    headers.add(CONNECTS + "topic", bytes(log.topic()));
    headers.add(CONNECTS + "partition", bytes(log.partition()));
    headers.add(CONNECTS + "offset", bytes(log.offset()));
    headers.add(CONNECTS + "exception.message", bytes(reason));
    headers.add(OURS + "timestamp", bytes(log.timestamp()));
    headers.add(OURS + "peer", bytes(peer));
    if (whole) {
      return new ProducerRecord<>(topic, null, now, log.key(), log.value(), headers);
    }
    nameBytes(log, headers);
    return new ProducerRecord<>(topic, null, now, null, null, headers);
  }

  /** Returns the record with the sizes and SHA-256 of its bytes in their place. */
  static ConsumerRecord<byte[], byte[]> named(ConsumerRecord<byte[], byte[]> log) {
    var headers = new RecordHeaders();
    nameBytes(log, headers);
    return new ConsumerRecord<>(
        log.topic(),
        log.partition(),
        log.offset(),
        log.timestamp(),
        log.timestampType(),
        ConsumerRecord.NULL_SIZE,
        ConsumerRecord.NULL_SIZE,
        null,
        null,
        headers,
        Optional.empty());
  }

  /** Whether its bytes stayed behind, as {@link #named} leaves them. */
  static boolean isNamed(ConsumerRecord<byte[], byte[]> log) {
    return log.value() == null && log.headers().lastHeader(OURS + "value.size") != null;
  }

  /** Key, value and headers, in bytes. */
  static int size(ConsumerRecord<byte[], byte[]> log) {
    return size(log.key()) + size(log.value()) + size(log.headers());
  }

  private static void nameBytes(ConsumerRecord<byte[], byte[]> log, Headers headers) {
    leftOut(headers, "key", log.key());
    leftOut(headers, "value", log.value());
  }

  private static void leftOut(Headers headers, String part, byte[] bytes) {
    if (bytes != null) {
      headers.add(OURS + part + ".size", bytes(bytes.length));
      headers.add(OURS + part + ".sha256", bytes(sha256(bytes)));
    }
  }

  private static int size(byte[] bytes) {
    return bytes == null ? 0 : bytes.length;
  }

  private static int size(Headers headers) {
    int size = 0;
    for (var header : headers) {
      size += header.key().length() + size(header.value());
    }
    return size;
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] bytes(Object value) {
    return value.toString().getBytes(StandardCharsets.UTF_8);
  }
}
