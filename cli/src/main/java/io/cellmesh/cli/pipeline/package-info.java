/** How far each hop of the pipeline stands behind the one before it. */
package io.cellmesh.cli.pipeline;
