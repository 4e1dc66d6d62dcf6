package io.cellmesh.bench;

/**
 * Ours over a number of shards, on servers of its own.
 *
 * @param createSeconds to make the databases, on the master and its minion
 * @param firstRecordSeconds from the creation of the connector, on a worker that had none, to the
 *     first record
 * @param heap most bytes that a garbage collection left in the worker's heap
 * @param heapFull most bytes in the worker's heap, garbage and all
 * @param result its rounds
 */
public record ShardsFigures(
    double createSeconds, double firstRecordSeconds, long heap, long heapFull, Result result) {}
