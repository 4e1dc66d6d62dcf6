package io.cellmesh.deployment.wire;

import java.io.DataInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/** Reads batches from a stream of bytes. One thread at a time. */
public final class BatchReader implements AutoCloseable {
  /** Lists grow to what is there, whatever a count says. */
  private static final int USUAL_RECORDS = 1024;

  private final Counted counted;
  private final DataInputStream in;
  private final String topic;

  /**
   * @param topic that the records are said to be of
   */
  public BatchReader(InputStream in, String topic) {
    this.counted = new Counted(in);
    this.in = new DataInputStream(counted);
    this.topic = topic;
  }

  /**
   * Waits for the next batch, however long.
   *
   * @return empty if the stream ended before it
   * @throws DamagedBatchException if what comes is no batch, or not as it was sent
   * @throws IOException if the stream ends within it, or can't be read
   */
  public Optional<Batch> next() throws IOException {
    var content = Frame.read(in);
    return content.isEmpty() ? Optional.empty() : Optional.of(batch(content.get()));
  }

  /** How many bytes have come, as they were sent. */
  public long bytes() {
    return counted.bytes;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  private static final class Counted extends FilterInputStream {
    private long bytes;

    Counted(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int read = super.read();
      bytes += read < 0 ? 0 : 1;
      return read;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
      int read = super.read(into, from, length);
      bytes += Math.max(0, read);
      return read;
    }
  }

  private Batch batch(byte[] content) throws DamagedBatchException {
    var fields = ByteBuffer.wrap(content);
    try {
      var batch = new Batch(stretches(fields), fields.getLong(), others(fields), records(fields));
      if (fields.hasRemaining()) {
        throw new DamagedBatchException("something follows a batch within its frame");
      }
      return batch;
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw new DamagedBatchException("a batch is not as it must be: " + e.getMessage(), e);
    }
  }

  private static List<Stretch> stretches(ByteBuffer fields) {
    int count = unsigned(fields);
    var stretches = new ArrayList<Stretch>();
    for (int i = 0; i < count; i++) {
      stretches.add(
          new Stretch(unsigned(fields), fields.getLong(), fields.getLong(), fields.getLong()));
    }
    return stretches;
  }

  private static Map<String, Long> others(ByteBuffer fields) {
    int count = unsigned(fields);
    var others = new HashMap<String, Long>();
    for (int i = 0; i < count; i++) {
      others.put(name(fields), fields.getLong());
    }
    return others;
  }

  private List<ConsumerRecord<byte[], byte[]>> records(ByteBuffer fields) {
    int count = fields.getInt();
    if (count < 0) {
      throw new IllegalArgumentException("fewer records than none");
    }
    var records = new ArrayList<ConsumerRecord<byte[], byte[]>>(Math.min(count, USUAL_RECORDS));
    for (int i = 0; i < count; i++) {
      records.add(record(fields));
    }
    return records;
  }

  private ConsumerRecord<byte[], byte[]> record(ByteBuffer fields) {
    int partition = unsigned(fields);
    long offset = fields.getLong();
    long timestamp = fields.getLong();
    var key = bytes(fields);
    var value = bytes(fields);
    return new ConsumerRecord<>(
        topic,
        partition,
        offset,
        timestamp,
        TimestampType.CREATE_TIME,
        ConsumerRecord.NULL_SIZE,
        ConsumerRecord.NULL_SIZE,
        key,
        value,
        headers(fields),
        Optional.empty());
  }

  private static Headers headers(ByteBuffer fields) {
    int count = unsigned(fields);
    var headers = new RecordHeaders();
    for (int i = 0; i < count; i++) {
      headers.add(name(fields), bytes(fields));
    }
    return headers;
  }

  private static String name(ByteBuffer fields) {
    return new String(taken(fields, unsigned(fields)), StandardCharsets.UTF_8);
  }

  private static byte[] bytes(ByteBuffer fields) {
    int length = fields.getInt();
    return length == BatchWriter.NULL ? null : taken(fields, length);
  }

  private static byte[] taken(ByteBuffer fields, int length) {
    if (length < 0 || length > fields.remaining()) {
      throw new IllegalArgumentException("a length of %d bytes".formatted(length));
    }
    var bytes = new byte[length];
    fields.get(bytes);
    return bytes;
  }

  private static int unsigned(ByteBuffer fields) {
    return Short.toUnsignedInt(fields.getShort());
  }
}
