/**
 * Callbacks over the log of an instance: each shard's cells in order, each at least once, progress
 * only past what succeeded or was parked (invariant 12).
 */
package io.cellmesh.triggers;
