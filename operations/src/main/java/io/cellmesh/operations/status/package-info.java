/** Whether the parts of a deployment answer, and how far each hop of the pipeline is behind. */
package io.cellmesh.operations.status;
