package io.cellmesh.cell;

import java.time.Instant;

/**
 * A cell with its place, as a record of the log carries it.
 *
 * @param cell the cell; its origin is always present
 * @param shard the shard that holds it
 * @param addedId its place in the shard; strictly rising along the log of one shard
 * @param createdAt when its entity row was inserted, to the microsecond
 */
public record LogRecord(Cell cell, int shard, long addedId, Instant createdAt) {}
