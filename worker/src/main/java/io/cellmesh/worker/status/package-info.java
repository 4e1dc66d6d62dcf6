/**
 * What a worker knows of the state of its instance: it looks for itself, so that any number of
 * browsers cost the servers no more than one.
 */
package io.cellmesh.worker.status;
