/**
 * Index tables: one {@code idx_NAME_vN} in the database of every shard, typed columns from the
 * index definition, written under the guard of versions and read one shard a query.
 */
package io.cellmesh.storage.index;
