/**
 * The source connectors of an instance as Connect has them, and the rebuild of the log from the
 * entity tables.
 *
 * <p>What is to be done is decided by {@link io.cellmesh.operations.log.RebuildPlan} from what was
 * found, without I/O; {@link io.cellmesh.operations.log.LogRebuild} does it and {@link
 * io.cellmesh.operations.log.RebuildMonitor} looks on until it is done. Nothing is remembered here:
 * whatever a stopped command has begun, the offsets in Connect say, so that it goes on when it is
 * called again.
 */
package io.cellmesh.operations.log;
