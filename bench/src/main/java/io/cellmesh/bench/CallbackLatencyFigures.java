package io.cellmesh.bench;

/** From handing a cell to the producer until the callback has it, in milliseconds. */
public record CallbackLatencyFigures(String name, long cells, double p50, double p99, double max) {}
