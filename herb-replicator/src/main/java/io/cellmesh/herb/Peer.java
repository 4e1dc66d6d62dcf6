package io.cellmesh.herb;

/**
 * The other end of a link.
 *
 * @param name of its data centre
 * @param bootstrap its Kafka
 */
record Peer(String name, String bootstrap) {}
