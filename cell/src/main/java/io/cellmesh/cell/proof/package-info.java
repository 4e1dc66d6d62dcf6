/**
 * The proof that data centres agree (invariant 14): what is folded from a topic, how it stands in
 * {@code trips.checkpoint}, and how two foldings are compared. Nothing here does any I/O.
 */
package io.cellmesh.cell.proof;
