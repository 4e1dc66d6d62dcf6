/**
 * The Kafka Streams applications that turn the log into index entries. A pass is one application:
 * any number of indexes in one go over {@code trips.log}, each to its {@code trips.index.NAME}.
 *
 * <p>Each runs at least once, since a transaction would hold every entry back until the next
 * commit. What that costs: after a crash the changelog of the state may be ahead of the entries,
 * because both are sent at the same time and only then the offsets committed. So a cell that the
 * state knows already is no reason to stay silent; {@link io.cellmesh.cell.index.IndexRow} then
 * says again what must stand, and the versions make the repetition harmless.
 */
package io.cellmesh.index;
