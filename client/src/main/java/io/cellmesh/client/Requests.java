package io.cellmesh.client;

import com.fasterxml.jackson.core.JsonFactory;
import io.cellmesh.cell.EnvelopeWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Makes the requests of an instance. */
final class Requests {
  private static final JsonFactory JSON = new JsonFactory();

  private final String instance;

  Requests(String instance) {
    this.instance = instance;
  }

  WorkerRequest put(NewCell cell, CallOptions options) {
    var path =
        path(WorkerApi.CELL)
            .replace("{row}", cell.key().rowKey().toString())
            .replace("{ref}", String.valueOf(cell.key().refKey()))
            .replace("{column}", Keys.encode(cell.key().columnName()));
    var json = cell.body().toJson().getBytes(StandardCharsets.UTF_8);
    return new WorkerRequest("PUT", path, wait(options), Optional.of(json), options.priority());
  }

  WorkerRequest put(List<NewCell> cells, CallOptions options) {
    var json = new ByteArrayOutputStream();
    json.writeBytes(ascii("{\"cells\":["));
    try (var envelopes = new EnvelopeWriter()) {
      for (int i = 0; i < cells.size(); i++) {
        json.writeBytes(ascii(i == 0 ? "" : ","));
        json.writeBytes(envelopes.write(cells.get(i).cell()));
      }
    }
    json.writeBytes(ascii("]}"));
    return post(WorkerApi.PUT_CELLS, wait(options), json.toByteArray(), options);
  }

  WorkerRequest get(Lookup lookup, CallOptions options, SessionPositions positions) {
    var query = read(options, positions);
    if (lookup.atMost().isPresent()) {
      query = query.with(WorkerApi.AT_MOST, String.valueOf(lookup.atMost().getAsLong()));
    }
    return get(path(lookup), query, options);
  }

  WorkerRequest get(List<Lookup> lookups, CallOptions options, SessionPositions positions) {
    return post(WorkerApi.GET_CELLS, read(options, positions), keys(lookups), options);
  }

  /** An index is asked as it is: it follows the cells, and no position says how far it is. */
  WorkerRequest query(IndexQuery query, CallOptions options) {
    var path = path(WorkerApi.INDEX).replace("{name}", query.index());
    return get(path, query.query().with(WorkerApi.READ, options.readFrom().text()), options);
  }

  private static WorkerRequest get(String path, Query query, CallOptions options) {
    return new WorkerRequest("GET", path, query, Optional.empty(), options.priority());
  }

  private WorkerRequest post(String path, Query query, byte[] json, CallOptions options) {
    return new WorkerRequest("POST", path(path), query, Optional.of(json), options.priority());
  }

  private String path(Lookup lookup) {
    var template =
        lookup.isRow()
            ? WorkerApi.ROW
            : lookup.ref().isPresent() ? WorkerApi.CELL : WorkerApi.LATEST;
    return path(template)
        .replace("{row}", lookup.row().toString())
        .replace("{ref}", lookup.ref().isPresent() ? "" + lookup.ref().getAsLong() : "")
        .replace("{column}", lookup.column().map(Keys::encode).orElse(""));
  }

  private String path(String template) {
    return template.replace("{instance}", instance);
  }

  private static Query wait(CallOptions options) {
    return Query.EMPTY.with(WorkerApi.WAIT, options.waitFor().text());
  }

  private static Query read(CallOptions options, SessionPositions positions) {
    var query = Query.EMPTY.with(WorkerApi.READ, options.readFrom().text());
    var notBefore = positions.toString();
    return notBefore.isEmpty() ? query : query.with(WorkerApi.NOT_BEFORE, notBefore);
  }

  private static byte[] keys(List<Lookup> lookups) {
    var bytes = new ByteArrayOutputStream();
    try (var json = JSON.createGenerator(bytes)) {
      json.writeStartObject();
      json.writeArrayFieldStart("keys");
      for (var lookup : lookups) {
        json.writeStartObject();
        json.writeStringField("row_key", lookup.row().toString());
        if (!lookup.isRow()) {
          json.writeStringField("column_name", lookup.column().orElseThrow());
        }
        if (lookup.ref().isPresent()) {
          json.writeNumberField("ref_key", lookup.ref().getAsLong());
        }
        if (lookup.atMost().isPresent()) {
          json.writeNumberField("at_most", lookup.atMost().getAsLong());
        }
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
