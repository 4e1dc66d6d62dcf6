/**
 * What is done when there is more to do than can be done: bounded queues, deadlines, priorities,
 * and looks that go on.
 */
package io.cellmesh.worker.load;
