package io.cellmesh.connect.source;

import io.debezium.data.Envelope;
import io.debezium.time.MicroTimestamp;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;

/** Rows of an entity table as Debezium hands them over. */
final class DebeziumRows {
  static final Schema ROW =
      SchemaBuilder.struct()
          .optional()
          .field("added_id", Schema.INT64_SCHEMA)
          .field("row_key", Schema.BYTES_SCHEMA)
          .field("column_name", Schema.STRING_SCHEMA)
          .field("ref_key", Schema.INT64_SCHEMA)
          .field("body", Schema.BYTES_SCHEMA)
          .field("origin", Schema.STRING_SCHEMA)
          .field("origin_id", Schema.OPTIONAL_INT64_SCHEMA)
          .field("created_at", MicroTimestamp.schema())
          .build();

  static final Schema SOURCE =
      SchemaBuilder.struct()
          .field("db", Schema.STRING_SCHEMA)
          .field("gtid", Schema.OPTIONAL_STRING_SCHEMA)
          .build();

  private DebeziumRows() {}

  /**
   * @param name of what the rows are of, as the envelope's schema begins
   */
  static Envelope envelope(String name) {
    return Envelope.defineSchema()
        .withName(name + Envelope.SCHEMA_NAME_SUFFIX)
        .withRecord(ROW)
        .withSource(SOURCE)
        .build();
  }
}
