/**
 * Where a written cell stands: who waits for what, and what is true by what was seen. Invariant 13
 * is kept here.
 */
package io.cellmesh.worker.position;
