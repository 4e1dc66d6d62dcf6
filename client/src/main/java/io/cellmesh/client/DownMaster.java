package io.cellmesh.client;

import java.time.Instant;

/**
 * A primary's master that does not answer or takes no writes.
 *
 * @param cluster its storage cluster
 * @param address its host and port
 * @param since when that was first seen, by the worker's clock
 */
public record DownMaster(String cluster, String address, Instant since) {}
