package io.cellmesh.bench;

/**
 * What the worker's process uses while no cell comes, in percent of one processor.
 *
 * @param name which connector runs; none, or one
 */
public record RestFigures(String name, double seconds, double percent) {}
