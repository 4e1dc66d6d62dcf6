package io.cellmesh.operations;

import io.cellmesh.cell.Topology;

/**
 * One data centre of an instance.
 *
 * @param kafka bootstrap servers
 * @param connect the Connect worker's URL
 * @param topology the shard map, with the roles as they are now
 */
public record DataCenter(String name, String kafka, String connect, Topology topology) {}
