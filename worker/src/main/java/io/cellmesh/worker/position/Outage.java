package io.cellmesh.worker.position;

import java.time.Instant;

/**
 * A primary's master that does not answer or takes no writes.
 *
 * @param master its address
 * @param since when this worker first noticed
 */
public record Outage(String cluster, String master, Instant since) {}
