package io.cellmesh.triggers;

import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topics;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.topics.trigger.Definition;
import io.cellmesh.topics.trigger.TriggerName;
import java.time.Duration;

/**
 * Everything that a trigger's process goes by.
 *
 * @param threads that call back
 * @param haltRows over fewer rows nothing is concluded of a downstream
 * @param window over which it is counted what fails
 * @param commitInterval from a callback's end to its commit, at most
 * @param session after which a silent process is taken for dead
 * @param handOver so long callbacks of a partition that goes may run on
 * @param batchWindow so long a batch waits to become full
 */
record TriggerOptions(
    TriggerName name,
    Topics topics,
    Shards shards,
    KafkaAccess kafka,
    Definition definition,
    int threads,
    int haltRows,
    Duration window,
    Duration commitInterval,
    Duration session,
    Duration handOver,
    Duration batchWindow) {

  String group() {
    return name.group(topics.instance());
  }
}
