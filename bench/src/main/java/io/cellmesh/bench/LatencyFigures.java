package io.cellmesh.bench;

/**
 * From handing a cell to the producer until its row is committed, in milliseconds.
 *
 * @param rate cells a second
 * @param poll p99 of the time between two questions to a master, which is the resolution
 * @param load who used the processors meanwhile
 */
public record LatencyFigures(
    int rate, long cells, double p50, double p99, double max, double poll, Round load) {}
