package io.cellmesh.worker.site;

import io.cellmesh.cell.RecordPosition;
import io.cellmesh.worker.position.Outcome;

/**
 * What became of a write that Kafka acknowledged.
 *
 * @param outcome of the wait; late with {@code accepted} where no more was asked for
 */
public record Written(RecordPosition position, Outcome outcome) {}
