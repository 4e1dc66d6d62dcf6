/**
 * What an instance costs as a function of its layout and its load: connections, threads, memory,
 * statements, commits, disks and network, and which bound it reaches first. Pure arithmetic; it
 * asks no server.
 */
package io.cellmesh.operations.capacity;
