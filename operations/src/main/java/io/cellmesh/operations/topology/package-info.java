/**
 * The servers of a storage cluster, and where their roles are written down: the topology, and the
 * connectors that carry it in their settings.
 */
package io.cellmesh.operations.topology;
