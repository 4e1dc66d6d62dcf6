/**
 * The sink connector of cells: reads the ingest topics, copies each batch to the buffer of a random
 * secondary, then writes it with the position to its primary.
 *
 * <p>{@link io.cellmesh.connect.sink.CellSinkTask} is the shell that Connect sees; {@link
 * io.cellmesh.connect.sink.CellSink} is the core. The unit of order is the {@link
 * io.cellmesh.connect.sink.Lane}.
 */
package io.cellmesh.connect.sink;
