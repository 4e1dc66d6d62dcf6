package io.cellmesh.triggers;

import java.time.Instant;

/**
 * How often a cell was tried, as the state topic remembers it for the cell's row.
 *
 * @param offset the cell's place in its partition
 * @param addedId the cell's place in its shard
 * @param count the attempts that began
 * @param first when the first one failed, or when one was noted without having failed
 * @param last the same of the last one
 */
record Attempts(long offset, long addedId, int count, Instant first, Instant last) {}
