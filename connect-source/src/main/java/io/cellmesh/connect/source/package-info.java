/**
 * The binlog of a storage cluster as the log: Debezium's MySQL connector reads it, unforked, and
 * this package decides what it reads, where it starts, what becomes of a row, and how it comes back
 * after the connection was lost.
 *
 * <p>One connector stands for one storage cluster and has one task. The task holds a Debezium task
 * of its own and replaces it whenever MySQL was away; Connect sees neither Debezium's settings nor
 * its failures, only the few settings of {@link io.cellmesh.connect.source.CellSourceConfig} and a
 * stream of log records.
 */
package io.cellmesh.connect.source;
