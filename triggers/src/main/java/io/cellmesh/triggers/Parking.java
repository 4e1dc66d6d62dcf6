package io.cellmesh.triggers;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * One transaction: the cells to write to the parked topic in this order, the markers of their rows,
 * and what to commit for their partitions as though the cells were finished.
 */
record Parking(List<Parked> cells, Map<TopicPartition, Commit> commits) {
  record Parked(TopicPartition partition, Delivery cell, ParkReason reason) {}
}
