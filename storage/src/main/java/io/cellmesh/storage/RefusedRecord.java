package io.cellmesh.storage;

import java.util.List;

/**
 * A record as Kafka delivered it, kept with the decision that refused its cell until that is told.
 *
 * @param timestamp in milliseconds since 1970, as the record carried it
 */
public record RefusedRecord(byte[] key, byte[] value, List<Header> headers, long timestamp) {
  public RefusedRecord {
    headers = List.copyOf(headers);
  }

  /** Bytes of its key, value and headers. */
  public long bytes() {
    long bytes = length(key) + length(value);
    for (var header : headers) {
      bytes += Packet.ofHeader(header.name(), header.value());
    }
    return bytes;
  }

  private static long length(byte[] bytes) {
    return bytes == null ? 0 : bytes.length;
  }

  /**
   * One header of a record.
   *
   * @param value may be null
   */
  public record Header(String name, byte[] value) {}
}
