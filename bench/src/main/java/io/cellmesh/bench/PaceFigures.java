package io.cellmesh.bench;

/**
 * How many callbacks that wait so many threads made.
 *
 * @param callbacks a second
 */
public record PaceFigures(int threads, double callbacks) {}
