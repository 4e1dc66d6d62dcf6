package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology;
import io.cellmesh.connect.sink.base.Rejections;
import io.cellmesh.connect.sink.base.TaskThreads;
import io.cellmesh.storage.BufferStore;
import io.cellmesh.storage.PrimaryStore;
import io.cellmesh.storage.ServerHealth;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.apache.kafka.common.TopicPartition;

/**
 * What the core of the sink stands on: servers, Kafka, time, threads and chance. A simulation gives
 * it others.
 *
 * @param logStart the first offset that a partition still has
 * @param topicIds Kafka's id of a topic, by its name
 */
record SinkEnvironment(
    Topology topology,
    PrimaryStore primaries,
    BufferStore buffers,
    ServerHealth health,
    TaskThreads threads,
    Random random,
    Rejections rejections,
    ToLongFunction<TopicPartition> logStart,
    Function<String, UUID> topicIds,
    SinkMetrics metrics) {

  /**
   * The core, with all that it holds.
   *
   * @param lanes that it owns
   * @param decoder that nobody else uses
   * @param copies how many secondaries get each copy while its primary is well
   * @param turn so many records of peers are written behind this data centre's own
   */
  CellSink core(Lanes lanes, RecordDecoder decoder, int copies, int turn) {
    var paces = new PrimaryPaces(topology, health, threads::nanoTime);
    var work = new PendingWork(health, threads, paces);
    var writer = new PrimaryWriter(primaries, paces, metrics);
    var refused = new RefusedRecords(topology.topics(), rejections, topicIds);
    var laneWriter = new LaneWriter(topology, writer, refused, work, lanes);
    var copyWriter = new CopyWriter(topology, health, buffers, random, threads, metrics);
    var leftoverScan = new LeftoverScan(topology, buffers, lanes, laneWriter, threads);
    var replay =
        new Replay(
            new CopyChains(topology, buffers),
            writer,
            refused.among(Batch.NONE),
            threads::nanoTime);
    return new CellSink(
        decoder,
        rejections,
        new GapHandler(
            topology, new OffsetContinuity(logStart), lanes, metrics, leftoverScan::knows),
        new CopySender(topology, health, copyWriter, lanes, work, threads, copies, metrics),
        laneWriter,
        work,
        leftoverScan,
        new CatchUp(topology, health, replay::run, work, lanes, threads::nanoTime),
        lanes,
        threads,
        turn,
        metrics);
  }
}
