/**
 * The replicator between data centres: one link to every peer, which reads the peer's log, on the
 * peer's brokers or over HTTP, and writes what the peer's own producers wrote into {@code
 * trips.mesh} here (invariant 9).
 *
 * <p>Only cells of the peer's own origin are taken, so nothing loops and nothing arrives twice by
 * two ways. A link has no state; it repeats up to a second's worth of cells after a crash, which
 * the sink takes for the duplicates that they are.
 */
package io.cellmesh.herb;
