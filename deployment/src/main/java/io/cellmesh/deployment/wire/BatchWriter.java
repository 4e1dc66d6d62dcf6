package io.cellmesh.deployment.wire;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;

/** Writes batches as bytes. */
public final class BatchWriter {
  private static final int USUAL_BYTES = 64 << 10;

  /** Of bytes that are null, which is something else than none. */
  static final int NULL = -1;

  private BatchWriter() {}

  /**
   * The batch with its frame.
   *
   * @throws IllegalArgumentException if it has more than 16 MiB
   */
  public static byte[] write(Batch batch) {
    var bytes = new ByteArrayOutputStream(USUAL_BYTES);
    try (var out = new DataOutputStream(bytes)) {
      out.writeShort(batch.stretches().size());
      for (var stretch : batch.stretches()) {
        out.writeShort(stretch.partition());
        out.writeLong(stretch.from());
        out.writeLong(stretch.next());
        out.writeLong(stretch.end());
      }
      out.writeLong(batch.newest());
      out.writeShort(batch.others().size());
      for (var other : batch.others().entrySet()) {
        name(out, other.getKey());
        out.writeLong(other.getValue());
      }
      out.writeInt(batch.records().size());
      for (var record : batch.records()) {
        record(out, record);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("memory has no errors", e);
    }
    return Frame.of(bytes.toByteArray());
  }

  /** Whether their number and their names can be written. */
  public static boolean hasRoomFor(Headers headers) {
    int count = 0;
    for (var header : headers) {
      count++;
      if (header.key().getBytes(StandardCharsets.UTF_8).length > Batch.MAX_COUNT) {
        return false;
      }
    }
    return count <= Batch.MAX_COUNT;
  }

  private static void record(DataOutputStream out, ConsumerRecord<byte[], byte[]> record)
      throws IOException {
    out.writeShort(record.partition());
    out.writeLong(record.offset());
    out.writeLong(record.timestamp());
    bytes(out, record.key());
    bytes(out, record.value());
    var headers = record.headers().toArray();
    out.writeShort(headers.length);
    for (var header : headers) {
      name(out, header.key());
      bytes(out, header.value());
    }
  }

  private static void name(DataOutputStream out, String name) throws IOException {
    var utf8 = name.getBytes(StandardCharsets.UTF_8);
    out.writeShort(utf8.length);
    out.write(utf8);
  }

  private static void bytes(DataOutputStream out, byte[] bytes) throws IOException {
    out.writeInt(bytes == null ? NULL : bytes.length);
    if (bytes != null) {
      out.write(bytes);
    }
  }
}
