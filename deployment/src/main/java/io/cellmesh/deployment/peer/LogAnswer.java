package io.cellmesh.deployment.peer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cellmesh.cell.LogGeneration;
import io.cellmesh.cell.MeshIdentity;
import io.cellmesh.cell.RememberedLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a data centre says over HTTP of itself and of its log, or of another topic.
 *
 * @param generation of the log
 * @param begins the first offset that is retained, of each partition in turn
 * @param ends the offset behind the last record, likewise
 */
public record LogAnswer(
    MeshIdentity identity, RememberedLog log, int generation, List<Long> begins, List<Long> ends) {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String GENERATION = "generation";

  /**
   * @throws IllegalArgumentException if it has not as many begins as ends
   */
  public LogAnswer {
    begins = List.copyOf(begins);
    ends = List.copyOf(ends);
    if (begins.size() != ends.size()) {
      throw new IllegalArgumentException(
          "%d begins and %d ends".formatted(begins.size(), ends.size()));
    }
  }

  public String toJson() {
    try {
      var fields = (ObjectNode) MAPPER.readTree(identity.toJson());
      fields.setAll((ObjectNode) MAPPER.readTree(log.toJson()));
      fields.put(GENERATION, generation);
      fields.set("begins", MAPPER.valueToTree(begins));
      fields.set("ends", MAPPER.valueToTree(ends));
      return MAPPER.writeValueAsString(fields);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Empty if the text is something else. */
  public static Optional<LogAnswer> parse(String text) {
    var identity = MeshIdentity.parse(text);
    var log = RememberedLog.parse(text);
    if (identity.isEmpty() || log.isEmpty()) {
      return Optional.empty();
    }
    try {
      var fields = MAPPER.readTree(text);
      return Optional.of(
          new LogAnswer(
              identity.get(),
              log.get(),
              // An older herb-replicator doesn't say it.
              fields.path(GENERATION).asInt(LogGeneration.FIRST),
              offsets(fields.path("begins")),
              offsets(fields.path("ends"))));
    } catch (JsonProcessingException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static List<Long> offsets(JsonNode items) {
    var offsets = new ArrayList<Long>();
    for (var item : items) {
      if (!item.canConvertToLong()) {
        throw new IllegalArgumentException("no offset: " + item);
      }
      offsets.add(item.asLong());
    }
    return offsets;
  }
}
