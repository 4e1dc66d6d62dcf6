package io.cellmesh.operations.verify;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/**
 * Keeps records of one data centre's ingest topics in files, a file a partition, so that what
 * retention has taken can still be verified. One thread appends; any number may {@link #read} what
 * was {@linkplain #flush flushed}.
 */
public final class IngestArchive implements AutoCloseable {
  private static final int NULL = -1;

  private final Path directory;
  private final Map<TopicPartition, Kept> kept = new ConcurrentHashMap<>();

  /**
   * @param directory for the files; made if it is not there
   */
  public IngestArchive(Path directory) {
    this.directory = directory;
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The file of a partition, and the offset that everything before it was kept of. */
  private static final class Kept {
    private final DataOutputStream out;
    private long appended;
    private volatile long end;

    Kept(DataOutputStream out) {
      this.out = out;
    }
  }

  /** Adds the next record of its partition. */
  public void append(ConsumerRecord<byte[], byte[]> record) {
    var at = new TopicPartition(record.topic(), record.partition());
    var file = kept.computeIfAbsent(at, this::create);
    try {
      file.out.writeLong(record.offset());
      file.out.writeLong(record.timestamp());
      write(file.out, record.key());
      write(file.out, record.value());
      file.appended = record.offset() + 1;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Lets readers see what was appended. */
  public void flush() {
    try {
      for (var file : kept.values()) {
        file.out.flush();
        file.end = file.appended;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The offset behind the last record that readers can see; 0 if there is none. */
  public long end(TopicPartition at) {
    var file = kept.get(at);
    return file == null ? 0 : file.end;
  }

  /**
   * Hands the kept records of a partition before an offset to the consumer, in their order.
   *
   * @param end the first offset that is not wanted
   */
  public void read(TopicPartition at, long end, Consumer<ConsumerRecord<byte[], byte[]>> consumer) {
    long last = Math.min(end, end(at));
    if (last == 0) {
      return;
    }
    try (var in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file(at)), 1 << 16))) {
      for (long next = 0; next < last; ) {
        var record = read(at, in);
        if (record.offset() < last) {
          consumer.accept(record);
        }
        next = record.offset() + 1;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(at + " in " + directory, e);
    }
  }

  @Override
  public void close() {
    try {
      for (var file : kept.values()) {
        file.out.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Kept create(TopicPartition at) {
    try {
      return new Kept(
          new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file(at)), 1 << 16)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path file(TopicPartition at) {
    return directory.resolve(at + ".records");
  }

  private static void write(DataOutputStream out, byte[] bytes) throws IOException {
    if (bytes == null) {
      out.writeInt(NULL);
    } else {
      out.writeInt(bytes.length);
      out.write(bytes);
    }
  }

  private static ConsumerRecord<byte[], byte[]> read(TopicPartition at, DataInputStream in)
      throws IOException {
    long offset = in.readLong();
    long timestamp = in.readLong();
    var key = bytes(in);
    var value = bytes(in);
    return new ConsumerRecord<>(
        at.topic(),
        at.partition(),
        offset,
        timestamp,
        TimestampType.CREATE_TIME,
        ConsumerRecord.NULL_SIZE,
        ConsumerRecord.NULL_SIZE,
        key,
        value,
        new RecordHeaders(),
        Optional.empty());
  }

  private static byte[] bytes(DataInputStream in) throws IOException {
    int length = in.readInt();
    return length == NULL ? null : in.readNBytes(length);
  }
}
