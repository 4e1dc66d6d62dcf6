package io.cellmesh.cli.commands;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.storage.index.IndexHit;
import io.cellmesh.storage.index.IndexReader;
import io.cellmesh.terminal.CellText;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;

/** What an index answers, as a machine reads it: JSON on one line each. */
final class HitText {
  private static final JsonFactory FACTORY = new JsonFactory();

  private HitText() {}

  /**
   * The row key, the fields with JSON's own numbers and truth values, and {@code rowCells}, which
   * no field can be called: the envelopes of the cells, if there are any.
   */
  static String json(IndexDefinition definition, IndexHit hit) {
    return object(
        out -> {
          out.writeStringField("row_key", hit.rowKey().toString());
          for (var field : definition.fields()) {
            if (hit.fields().containsKey(field.name())) {
              out.writeFieldName(field.name());
              field.type().write(hit.fields().get(field.name()), out);
            }
          }
          if (!hit.cells().isEmpty()) {
            out.writeArrayFieldStart("rowCells");
            for (var cell : hit.cells()) {
              out.writeRawValue(CellText.json(cell));
            }
            out.writeEndArray();
          }
        });
  }

  static String json(String next) {
    return object(out -> out.writeStringField("next", next));
  }

  static String json(IndexReader.Plan plan) {
    return object(
        out -> {
          out.writeNumberField("shard", plan.shard());
          out.writeStringField("server", plan.server().address());
          out.writeStringField("sql", plan.sql());
          out.writeStringField("plan", plan.mysql());
        });
  }

  private interface Content {
    void write(JsonGenerator out) throws IOException;
  }

  private static String object(Content content) {
    var text = new StringWriter();
    try (var out = FACTORY.createGenerator(text)) {
      out.writeStartObject();
      content.write(out);
      out.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }
}
