/**
 * Which cells were refused because another body stands under their key, as the ledgers of all
 * primaries have it (invariants 3 and 11).
 */
package io.cellmesh.operations.conflict;
