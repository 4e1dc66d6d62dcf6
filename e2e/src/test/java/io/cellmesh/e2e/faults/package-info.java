/**
 * What the sink and the buffers must survive, on real processes with cells flowing: every scenario
 * breaks something, puts it right again, and ends with a clean {@code verify}.
 */
package io.cellmesh.e2e.faults;
