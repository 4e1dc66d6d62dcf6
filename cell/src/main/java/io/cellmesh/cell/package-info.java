/**
 * The contract that every part of Cellmesh shares: the cell and its key, the stored form of a body,
 * the envelope that travels through Kafka, the routing of a row to its shard, and the topology that
 * says where a shard lives.
 *
 * <p>Nothing in here talks to MySQL or Kafka.
 */
package io.cellmesh.cell;
