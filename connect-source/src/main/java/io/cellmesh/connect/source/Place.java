package io.cellmesh.connect.source;

/** Where a row stands in its shard. */
record Place(int shard, long addedId) {}
