package io.cellmesh.cell;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.Optional;

/**
 * What a data centre says of itself, so that a link can make sure whose log it reads and that both
 * route alike.
 */
public record MeshIdentity(String datacenter, String instance, Shards shards) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  public static MeshIdentity of(Topology topology) {
    return new MeshIdentity(topology.datacenter(), topology.instance(), topology.shards());
  }

  public String toJson() {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("datacenter", datacenter);
    fields.put("instance", instance);
    fields.put("shards", shards.count());
    fields.put("partitions", shards.partitions());
    try {
      return MAPPER.writeValueAsString(fields);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Empty if the text is something else, such as what a data centre remembers of a peer. */
  public static Optional<MeshIdentity> parse(String text) {
    try {
      var fields = MAPPER.readTree(text);
      if (!fields.hasNonNull("datacenter")) {
        return Optional.empty();
      }
      return Optional.of(
          new MeshIdentity(
              fields.path("datacenter").asText(),
              fields.path("instance").asText(),
              new Shards(fields.path("shards").asInt(), fields.path("partitions").asInt())));
    } catch (JsonProcessingException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
