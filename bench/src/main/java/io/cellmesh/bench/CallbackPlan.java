package io.cellmesh.bench;

/**
 * What to measure of callbacks.
 *
 * @param cells of the log
 * @param rounds of each contestant
 * @param seconds for each measurement that has a length of time, at most
 * @param profile whether to run more rounds, under a profiler
 */
public record CallbackPlan(long cells, int rounds, int seconds, boolean profile) {}
