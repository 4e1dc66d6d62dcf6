package io.cellmesh.connect.sink.base;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.connect.sink.SinkTask;

/**
 * A rejected record with the reason: the original to the byte, and after its own headers those of
 * Connect's dead letters, so that whoever reads these reads ours. It bears no time of its own, so
 * that it is kept as long as if it were new; the original's is in a header.
 */
public final class DeadLetter {
  /** What Connect calls its headers, for example {@code __connect.errors.offset}. */
  static final String CONNECTS = "__connect.errors.";

  /** What the headers begin with that Connect does not have. */
  public static final String OURS = "__cellmesh.rejected.";

  private final Sender sender;
  private final Original original;
  private final List<Header> reason;

  /**
   * @param sender who rejects it
   * @param more headers that say something of it
   */
  DeadLetter(Sender sender, Original original, Exception reason, List<Header> more) {
    this.sender = sender;
    this.original = original;
    this.reason = headers(sender, original, reason);
    this.reason.addAll(more);
  }

  /**
   * Who rejects, and into which topic.
   *
   * @param task its number within the connector
   */
  record Sender(String topic, String connector, String task) {}

  /** How much of the original goes along, from all to what every topic takes. */
  enum Extent {
    ALL,
    WITHOUT_VALUE,
    PLACE_AND_REASON
  }

  Original original() {
    return original;
  }

  /** The record to produce; what is left out is named by its size and SHA-256. */
  ProducerRecord<byte[], byte[]> record(Extent extent) {
    boolean all = extent == Extent.ALL;
    boolean bare = extent == Extent.PLACE_AND_REASON;
    var headers = new ArrayList<Header>();
    if (!bare) {
      headers.addAll(original.headers());
    }
    headers.addAll(reason);
    if (!all) {
      leftOut(headers, "value", original.value());
    }
    if (bare) {
      leftOut(headers, "key", original.key());
      headers.add(ours("headers.count", original.headers().size()));
    }
    return new ProducerRecord<>(
        sender.topic(),
        null,
        null,
        bare ? null : original.key(),
        all ? original.value() : null,
        headers);
  }

  private static ArrayList<Header> headers(Sender sender, Original original, Exception reason) {
    var headers = new ArrayList<Header>();
    headers.add(connects("topic", original.at().topic()));
    headers.add(connects("partition", original.at().partition()));
    headers.add(connects("offset", original.offset()));
    headers.add(connects("connector.name", sender.connector()));
    headers.add(connects("task.id", sender.task()));
    headers.add(connects("stage", "TASK_PUT"));
    headers.add(connects("class.name", SinkTask.class.getName()));
    headers.add(connects("exception.class.name", reason.getClass().getName()));
    headers.add(connects("exception.message", reason.getMessage()));
    headers.add(connects("exception.stacktrace", trace(reason)));
    original.timestamp().ifPresent(millis -> headers.add(ours("timestamp", millis)));
    return headers;
  }

  private static void leftOut(List<Header> headers, String part, byte[] bytes) {
    if (bytes != null) {
      headers.add(ours(part + ".size", bytes.length));
      headers.add(ours(part + ".sha256", sha256(bytes)));
    }
  }

  private static Header connects(String name, Object value) {
    return header(CONNECTS + name, value);
  }

  /** One of the headers that Connect does not have. */
  public static Header ours(String name, Object value) {
    return header(OURS + name, value);
  }

  private static Header header(String name, Object value) {
    return new RecordHeader(
        name, value == null ? null : value.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static String trace(Exception reason) {
    var text = new StringWriter();
    reason.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
