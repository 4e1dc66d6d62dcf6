package io.cellmesh.deployment.peer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cellmesh.cell.RememberedLog;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a data centre asks its peer for over HTTP: what concerns it of a topic, such as the peer's
 * own cells of the log, from a place on.
 *
 * @param log that the place is in, or another topic
 * @param next the offset of the first record that is wanted, by partition
 */
public record LogQuestion(RememberedLog log, Map<Integer, Long> next) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  public LogQuestion {
    next = Map.copyOf(next);
  }

  public String toJson() {
    try {
      var fields = (ObjectNode) MAPPER.readTree(log.toJson());
      fields.set("next", MAPPER.valueToTree(new TreeMap<>(next)));
      return MAPPER.writeValueAsString(fields);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Empty if the text is something else. */
  public static Optional<LogQuestion> parse(String text) {
    try {
      var next = new TreeMap<Integer, Long>();
      var said = MAPPER.readTree(text).path("next");
      for (var partition : said.properties()) {
        if (!partition.getValue().canConvertToLong() || partition.getValue().asLong() < 0) {
          return Optional.empty();
        }
        next.put(Integer.parseInt(partition.getKey()), partition.getValue().asLong());
      }
      return RememberedLog.parse(text).map(log -> new LogQuestion(log, next));
    } catch (JsonProcessingException | NumberFormatException e) {
      return Optional.empty();
    }
  }
}
