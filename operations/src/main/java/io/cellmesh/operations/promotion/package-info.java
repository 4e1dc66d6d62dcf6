/**
 * Makes a minion the master of its storage cluster.
 *
 * <p>{@link io.cellmesh.operations.promotion.PromotionPlan} decides from what the servers said,
 * without I/O; {@link io.cellmesh.operations.promotion.Promotion} does it. Nothing is remembered
 * here: how far a stopped command has come, the servers and the topology say, so that it goes on
 * when it is called again.
 */
package io.cellmesh.operations.promotion;
