/**
 * What is done when there is more to do than can be done: bounded queues, deadlines, priorities.
 */
package io.cellmesh.worker.load;
