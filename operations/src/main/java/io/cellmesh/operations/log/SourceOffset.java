package io.cellmesh.operations.log;

import com.fasterxml.jackson.databind.JsonNode;
import io.cellmesh.cell.ShardSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * How far a source connector is, as Connect has stored it.
 *
 * @param gtids the transactions that are in the log; of a rebuild, those that it need not repeat
 *     from the binlog
 * @param rebuild the shards that a rebuild has not finished
 * @param shard the shard that a rebuild is in
 * @param addedId the last row of that shard that is in the log
 */
public record SourceOffset(
    Optional<String> gtids, Optional<ShardSet> rebuild, OptionalInt shard, OptionalLong addedId) {

  /** Whether it asks for a rebuild that no task has begun. */
  public boolean isFreshRebuild() {
    return rebuild.isPresent() && gtids.isEmpty() && shard.isEmpty();
  }

  /**
   * The offset of one server in the answer to {@code GET /connectors/NAME/offsets}; empty if
   * nothing is stored for it.
   */
  static Optional<SourceOffset> of(JsonNode answer, String server) {
    for (var entry : answer.path("offsets")) {
      if (entry.path("partition").path("server").asText().equals(server)) {
        // A task that failed before it knew where to begin has stored why, and no offset.
        return Optional.of(entry.path("offset"))
            .filter(offset -> offset.has("gtids") || offset.has("rebuild"))
            .map(SourceOffset::of);
      }
    }
    return Optional.empty();
  }

  private static SourceOffset of(JsonNode offset) {
    var rebuild = text(offset, "rebuild").map(ShardSet::parse);
    boolean within = rebuild.isPresent() && offset.path("shard").isNumber();
    return new SourceOffset(
        text(offset, "gtids").map(gtids -> gtids.replaceAll("\\s", "")),
        rebuild,
        within ? OptionalInt.of(offset.path("shard").asInt()) : OptionalInt.empty(),
        within && offset.path("added_id").isNumber()
            ? OptionalLong.of(offset.path("added_id").asLong())
            : OptionalLong.empty());
  }

  private static Optional<String> text(JsonNode offset, String field) {
    return Optional.of(offset.path(field).asText()).filter(text -> !text.isEmpty());
  }
}
