package io.cellmesh.cell;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/**
 * The first and the last record of each partition of {@code trips.seed.DC}, between which the cells
 * stand. They alone have no key.
 *
 * @param end whether it is the last one, so that no cell is missing between the two
 * @param log where the peer's log goes on: its end when the writing began, so that a cell is in the
 *     seed or in the log from there, or in both
 */
public record SeedMark(boolean end, MeshPlace log) {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String SEED = "seed";
  private static final String BEGIN = "begin";
  private static final String END = "end";

  public String toJson() {
    try {
      var fields = (ObjectNode) MAPPER.readTree(log.toJson());
      return MAPPER.writeValueAsString(fields.put(SEED, end ? END : BEGIN));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Empty if the text is something else. */
  public static Optional<SeedMark> parse(String text) {
    return MeshPlace.parse(text).flatMap(log -> kind(text).map(end -> new SeedMark(end, log)));
  }

  private static Optional<Boolean> kind(String text) {
    try {
      return switch (MAPPER.readTree(text).path(SEED).asText()) {
        case BEGIN -> Optional.of(false);
        case END -> Optional.of(true);
        default -> Optional.empty();
      };
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }
}
