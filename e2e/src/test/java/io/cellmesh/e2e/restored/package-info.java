/** Data centres whose servers come from a backup. */
package io.cellmesh.e2e.restored;
