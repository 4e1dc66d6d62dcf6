package io.cellmesh.operations.buffer;

import io.cellmesh.cell.Cell;
import java.time.Instant;
import java.util.List;

/**
 * One cell of a copy.
 *
 * @param records the topic and partition that it came from
 * @param since when it was written there
 * @param secondaries the clusters whose buffers hold it
 * @param state what it waits for, in words
 */
public record BufferCell(
    String records,
    long offset,
    Cell cell,
    Instant since,
    List<String> secondaries,
    String state) {}
