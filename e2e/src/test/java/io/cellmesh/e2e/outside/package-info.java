/**
 * Somebody else's project, which knows Cellmesh by its jars and its pages alone. It comes long
 * after the other test that wants the Docker engine for itself: of two at once one would only wait.
 */
package io.cellmesh.e2e.outside;
