/** Records that any producer may send, each of which once stopped the pipeline or was lost. */
package io.cellmesh.e2e.poison;
