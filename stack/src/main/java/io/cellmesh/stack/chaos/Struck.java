package io.cellmesh.stack.chaos;

import java.time.Duration;

/**
 * A fault that is over.
 *
 * @param at since the beginning of the run
 * @param lasted from the blow until it was mended
 * @param recovered how long cells were late after {@link FaultKind#clock}
 * @param sessions what they met from the first blow of the round until all had recovered
 */
public record Struck(
    int number,
    FaultKind kind,
    String victim,
    Duration at,
    Duration lasted,
    Duration recovered,
    SessionCounts sessions) {}
