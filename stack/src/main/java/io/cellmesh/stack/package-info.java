/**
 * A whole Cellmesh on this machine: what the demo, {@code up} and the end-to-end tests start alike.
 * devstack runs the processes; this package makes an instance of them.
 */
package io.cellmesh.stack;
