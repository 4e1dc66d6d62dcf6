package io.cellmesh.bench;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * A cell as both sinks and the raw loop get it.
 *
 * @param body a JSON object's text, without white space
 */
record BenchCell(UUID rowKey, String columnName, long refKey, String body) {

  /** The record key: Kafka's default partitioner puts the row where its shard belongs. */
  byte[] key() {
    return rowKey.toString().getBytes(StandardCharsets.US_ASCII);
  }

  /** The record for ours: the envelope, the body as it is. */
  byte[] envelope() {
    return record(body);
  }

  /** The record for the peer, which knows flat fields alone: the body as a string. */
  byte[] flat() {
    return record('"' + body.replace("\\", "\\\\").replace("\"", "\\\"") + '"');
  }

  private byte[] record(String value) {
    return ("{\"row_key\":\""
            + rowKey
            + "\",\"column_name\":\""
            + columnName
            + "\",\"ref_key\":"
            + refKey
            + ",\"body\":"
            + value
            + "}")
        .getBytes(StandardCharsets.UTF_8);
  }
}
