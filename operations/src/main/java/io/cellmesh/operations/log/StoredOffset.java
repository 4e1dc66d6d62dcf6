package io.cellmesh.operations.log;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cellmesh.cell.LogOffset;
import java.util.Map;
import java.util.Optional;

/**
 * What Connect has stored for a source connector.
 *
 * @param offset how far it is; empty if nothing is stored, or nothing that can be read
 * @param damage why what is stored can't be read
 */
record StoredOffset(Optional<LogOffset> offset, Optional<String> damage) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Of one server, in the answer to {@code GET /connectors/NAME/offsets}. */
  static StoredOffset of(JsonNode answer, String server) {
    for (var entry : answer.path("offsets")) {
      if (entry.path("partition").path("server").asText().equals(server)
          && entry.path("offset").isObject()) {
        return of(JSON.convertValue(entry.path("offset"), new TypeReference<>() {}));
      }
    }
    return new StoredOffset(Optional.empty(), Optional.empty());
  }

  private static StoredOffset of(Map<String, Object> stored) {
    try {
      return new StoredOffset(LogOffset.read(stored), Optional.empty());
    } catch (IllegalArgumentException e) {
      return new StoredOffset(Optional.empty(), Optional.of(e.getMessage()));
    }
  }

  /** Sets an offset, as {@code PATCH /connectors/NAME/offsets} takes it. */
  static String request(String server, LogOffset offset) {
    var root = JSON.createObjectNode();
    var entry = root.putArray("offsets").addObject();
    entry.putObject("partition").put("server", server);
    entry.set("offset", JSON.valueToTree(offset.stored()));
    return root.toString();
  }
}
