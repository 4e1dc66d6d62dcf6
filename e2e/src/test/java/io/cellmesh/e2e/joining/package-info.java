/** Data centres that come to an instance. */
package io.cellmesh.e2e.joining;
