/**
 * Triggers as an operator sees them: creating and deleting them, how they are, what they gave up
 * on, and what is asked of their processes through Kafka (design note 23).
 */
package io.cellmesh.operations.trigger;
