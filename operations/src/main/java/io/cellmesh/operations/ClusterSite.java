package io.cellmesh.operations;

import io.cellmesh.cell.Credentials;
import io.cellmesh.deployment.TopologyStore;
import java.net.URI;

/**
 * A data centre whose roles can be changed.
 *
 * @param topology where its shard map is kept
 * @param connect a Connect worker's URL
 * @param credentials of an administrator of every MySQL server
 * @param replication with which a minion signs on to its master
 */
public record ClusterSite(
    TopologyStore topology, URI connect, Credentials credentials, Credentials replication) {}
