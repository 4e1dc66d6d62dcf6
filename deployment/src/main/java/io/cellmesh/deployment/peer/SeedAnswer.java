package io.cellmesh.deployment.peer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cellmesh.cell.MeshPlace;
import io.cellmesh.cell.RememberedLog;
import io.cellmesh.deployment.Seed;
import java.util.ArrayList;
import java.util.Optional;

/**
 * What a data centre says over HTTP of the seed that it has for the one that asks. Of a partition's
 * last cell it says nothing: only whoever writes a seed needs that.
 *
 * @param seed empty if there is none
 */
public record SeedAnswer(Optional<Seed> seed) {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String PARTS = "parts";

  public String toJson() {
    try {
      var fields =
          seed.isEmpty()
              ? MAPPER.createObjectNode()
              : (ObjectNode) MAPPER.readTree(seed.get().id().toJson());
      var parts = fields.putArray(PARTS);
      if (seed.isPresent()) {
        for (var part : seed.get().parts()) {
          var item = parts.addObject();
          if (part.log().isPresent()) {
            item.set("log", MAPPER.readTree(part.log().get().toJson()));
          }
          item.put("complete", part.complete()).put("begin", part.begin()).put("end", part.end());
        }
      }
      return MAPPER.writeValueAsString(fields);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Empty if the text is something else. */
  public static Optional<SeedAnswer> parse(String text) {
    try {
      var fields = MAPPER.readTree(text);
      if (!fields.path(PARTS).isArray()) {
        return Optional.empty();
      }
      if (fields.path(PARTS).isEmpty()) {
        return Optional.of(new SeedAnswer(Optional.empty()));
      }
      var parts = new ArrayList<Seed.Part>();
      for (var item : fields.path(PARTS)) {
        parts.add(part(parts.size(), item));
      }
      return RememberedLog.parse(text).map(id -> new SeedAnswer(Optional.of(new Seed(id, parts))));
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  private static Seed.Part part(int partition, JsonNode item) {
    return new Seed.Part(
        partition,
        MeshPlace.parse(item.path("log").toString()),
        item.path("complete").asBoolean(),
        Optional.empty(),
        item.path("begin").asLong(),
        item.path("end").asLong());
  }
}
