package io.cellmesh.triggers;

import io.cellmesh.topics.trigger.Reason;
import java.util.Optional;

/**
 * What one member saw within the window. A row or shard counts as failed if the last that was tried
 * of it failed.
 *
 * @param cells attempts at cells
 * @param failedCells attempts that failed
 * @param rows rows of which a cell was tried; of many, a sample
 * @param failedRows those of them that failed
 * @param shards shards of which a cell was tried
 * @param failedShards those of them that failed
 * @param reason the commonest reason, empty if nothing failed
 * @param reasons how often it was given
 */
record Tally(
    long cells,
    long failedCells,
    int rows,
    int failedRows,
    int shards,
    int failedShards,
    Optional<Reason> reason,
    int reasons) {}
