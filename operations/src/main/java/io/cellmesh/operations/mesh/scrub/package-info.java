/** Reads the entity tables all the time, and holds them against what is folded of the log. */
package io.cellmesh.operations.mesh.scrub;
