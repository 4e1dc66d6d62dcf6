/**
 * How a data centre asks the herb-replicator of another one over HTTP, where that one's brokers are
 * out of reach.
 */
package io.cellmesh.deployment.peer;
