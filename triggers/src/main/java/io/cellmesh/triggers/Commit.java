package io.cellmesh.triggers;

/**
 * What to commit for a partition.
 *
 * @param offset all records below it are finished
 * @param metadata what is finished beyond it, see {@link Finished}
 */
record Commit(long offset, String metadata) {}
