package io.cellmesh.bench;

import java.util.List;

/**
 * How a contestant read the log.
 *
 * @param threads of its process, the busiest first
 */
record CallbackRound(Round round, List<ThreadUse> threads) {}
