package io.cellmesh.triggers;

import io.cellmesh.topics.trigger.CellAttempts;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.common.TopicPartition;

/**
 * What is to be remembered of the attempts at a cell of a row.
 *
 * @param attempts nothing if what was noted for the row is to be forgotten
 */
record Note(TopicPartition partition, UUID row, Optional<CellAttempts> attempts) {}
