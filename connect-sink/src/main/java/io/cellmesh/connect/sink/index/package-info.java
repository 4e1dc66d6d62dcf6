/**
 * IndexSinkConnector: the records of {@code trips.index.NAME} into the index tables, those of
 * several indexes in one transaction.
 *
 * <p>{@link io.cellmesh.connect.sink.index.IndexSinkTask} is the shell that Connect sees; {@link
 * io.cellmesh.connect.sink.index.IndexSink} is the core. How far a partition is written on each
 * cluster is its {@link io.cellmesh.connect.sink.index.PartitionProgress}.
 */
package io.cellmesh.connect.sink.index;
