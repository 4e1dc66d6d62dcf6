/** Reads: which server answers, how stale it can be, and what is done when it does not. */
package io.cellmesh.worker.read;
