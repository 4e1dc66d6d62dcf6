package io.cellmesh.operations.log;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.cellmesh.cell.ShardSet;
import java.util.Optional;

/**
 * An offset that asks a source connector for a rebuild.
 *
 * @param server names the offset
 * @param shards to read from the entity tables
 * @param gtids where the binlog is read on from; empty if all shards are rebuilt
 */
record OffsetRequest(String server, ShardSet shards, Optional<String> gtids) {

  /** As {@code PATCH /connectors/NAME/offsets} takes it. */
  String json() {
    var offset = JsonNodeFactory.instance.objectNode().put("rebuild", shards.toString());
    gtids.ifPresent(set -> offset.put("gtids", set));
    var root = JsonNodeFactory.instance.objectNode();
    var entry = root.putArray("offsets").addObject();
    entry.putObject("partition").put("server", server);
    entry.set("offset", offset);
    return root.toString();
  }
}
