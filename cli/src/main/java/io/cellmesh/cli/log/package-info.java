/**
 * The source connectors of an instance as Connect has them, and the rebuild of the log from the
 * entity tables.
 *
 * <p>What is to be done is decided by {@link io.cellmesh.cli.log.RebuildPlan} from what was found,
 * without I/O; {@link io.cellmesh.cli.log.LogRebuild} does it and {@link
 * io.cellmesh.cli.log.RebuildWatch} looks on until it is done. Nothing is remembered here: whatever
 * a stopped command has begun, the offsets in Connect say, so that it goes on when it is called
 * again.
 */
package io.cellmesh.cli.log;
