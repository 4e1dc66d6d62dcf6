package io.cellmesh.triggers;

import io.cellmesh.cell.LogRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * A cell as a callback gets it.
 *
 * @param record the cell with its place in its shard
 * @param partition where it was read
 * @param offset where it was read
 * @param attempt which one this is, from 1; a process that died during an attempt may not have
 *     counted it
 * @param rebuilt whether {@code cellmesh log rebuild} wrote the record
 */
public record TriggeredCell(
    LogRecord record, TopicPartition partition, long offset, int attempt, boolean rebuilt) {}
