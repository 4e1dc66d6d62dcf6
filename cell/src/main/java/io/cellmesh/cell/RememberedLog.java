package io.cellmesh.cell;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.Optional;

/**
 * The log that a link has begun to read: its place means something in no other.
 *
 * @param cluster Kafka's id of the peer's cluster
 * @param log Kafka's id of the topic, which is another once the topic was deleted and made again
 */
public record RememberedLog(String cluster, String log) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  public String toJson() {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("cluster", cluster);
    fields.put("log", log);
    try {
      return MAPPER.writeValueAsString(fields);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Empty if nothing is remembered. */
  public static Optional<RememberedLog> parse(String text) {
    if (text == null) {
      return Optional.empty();
    }
    try {
      var fields = MAPPER.readTree(text);
      return fields.hasNonNull("cluster") && fields.hasNonNull("log")
          ? Optional.of(
              new RememberedLog(fields.path("cluster").asText(), fields.path("log").asText()))
          : Optional.empty();
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }
}
