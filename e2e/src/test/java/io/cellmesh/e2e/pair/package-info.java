/**
 * Two data centres and what goes through them: the main job, what verify finds, and records that
 * any producer may send, each of which once stopped the pipeline or was lost.
 */
package io.cellmesh.e2e.pair;
