package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.Copy;
import io.cellmesh.storage.IngestTopic;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * The core of the sink. A batch is secured in two steps: first every primary's cells as copies on
 * secondaries, then the cells and the position on each primary. A primary that can't be written
 * delays nobody: its lanes fall behind, their cells wait in the buffers, and each later call tries
 * to catch them up.
 *
 * <p>Called by one thread; the clusters are written side by side.
 */
final class CellSink {
  private final Topology topology;
  private final Intake intake;
  private final Rejections rejections;
  private final RejectedConflicts conflicts;
  private final CopyWriter copies;
  private final LaneWriter laneWriter;
  private final CatchUp catchUp;
  private final SideBySide sideBySide;
  private final Lanes lanes;

  CellSink(
      Topology topology,
      Intake intake,
      Rejections rejections,
      RejectedConflicts conflicts,
      CopyWriter copies,
      LaneWriter laneWriter,
      CatchUp catchUp,
      SideBySide sideBySide,
      Lanes lanes) {
    this.topology = topology;
    this.intake = intake;
    this.rejections = rejections;
    this.conflicts = conflicts;
    this.copies = copies;
    this.laneWriter = laneWriter;
    this.catchUp = catchUp;
    this.sideBySide = sideBySide;
    this.lanes = lanes;
  }

  /**
   * Secures a batch, and brings lanes forward that are behind.
   *
   * @param rewind told where a topic's partition must be read again from, because the buffers have
   *     a gap; takes effect before the next batch
   * @throws RetriableException if some primary's cells found no secondary: the same batch comes
   *     again
   */
  void put(Collection<SinkRecord> records, Consumer<Map<TopicPartition, Long>> rewind) {
    var batch = intake.read(records);
    conflicts.batch(batch);
    begin(batch);
    forEachCluster(primary -> secure(primary, batch));
    forEachCluster(primary -> laneWriter.write(primary, batch));
    var offsets = catchUp.run();
    if (!offsets.isEmpty()) {
      rewind.accept(offsets);
    }
  }

  /**
   * The offsets up to which everything is secured. Lanes without new cells take their position
   * along, and those behind extend their copies, so that a later owner can prove that nothing is
   * missing.
   *
   * @param seen the offsets after the last records that {@link #put} took
   */
  Map<TopicPartition, OffsetAndMetadata> secured(Map<TopicPartition, OffsetAndMetadata> seen) {
    rejections.await();
    var ends = ends(seen);
    forEachCluster(primary -> laneWriter.advance(primary, ends));
    forEachCluster(primary -> copyEnds(primary, ends));
    var secured = new HashMap<TopicPartition, OffsetAndMetadata>();
    seen.forEach(
        (at, offset) -> {
          if (proven(at, offset.offset())) {
            secured.put(at, offset);
          }
        });
    return secured;
  }

  /** Starts afresh with partitions that this task was given or has lost. */
  void forget(Collection<TopicPartition> partitions) {
    lanes.forget(partitions.stream().map(TopicPartition::partition).toList());
  }

  private void begin(Batch batch) {
    forEachCluster(
        primary -> {
          var fresh =
              batch.ranges().stream()
                  .map(range -> lanes.of(primary, range.partition()))
                  .filter(lane -> !lane.positionKnown())
                  .distinct()
                  .toList();
          laneWriter.readPositions(primary, fresh);
        });
    for (var range : batch.ranges()) {
      for (var lane : lanes.ofPartition(range.partition())) {
        if (!lane.begun(range.topic())) {
          lane.begin(range.topic(), range.first());
        }
        lane.startBatch(range.topic());
      }
    }
  }

  private void secure(StorageCluster primary, Batch batch) {
    var missing = new ArrayList<Copy>();
    for (var range : batch.ranges()) {
      var lane = lanes.of(primary, range.partition());
      long from = lane.copied(range.topic());
      var cells = range.cells(primary.name(), from);
      if (!cells.isEmpty()) {
        missing.add(
            new Copy(primary.name(), range.topic(), range.partition(), from, range.next(), cells));
      }
    }
    writeCopies(primary, missing);
  }

  /** Says in the buffers that lanes which are behind had no cells up to the ends. */
  private void copyEnds(StorageCluster primary, Map<IngestTopic, Map<Integer, Long>> ends) {
    var missing = new ArrayList<Copy>();
    ends.forEach(
        (topic, byPartition) ->
            byPartition.forEach(
                (partition, end) -> {
                  var lane = lanes.of(primary, partition);
                  if (lane.behind(topic) && lane.copied(topic) < end) {
                    missing.add(
                        new Copy(
                            primary.name(), topic, partition, lane.copied(topic), end, List.of()));
                  }
                }));
    writeCopies(primary, missing);
  }

  private void writeCopies(StorageCluster primary, List<Copy> missing) {
    if (!missing.isEmpty()) {
      copies.write(primary, missing);
      missing.forEach(
          copy -> lanes.of(primary, copy.partition()).copied(copy.topic(), copy.next()));
    }
  }

  private boolean proven(TopicPartition at, long offset) {
    var topic = intake.topicOf(at.topic());
    return lanes.ofPartition(at.partition()).stream()
        .allMatch(
            lane -> !lane.rewinding(topic) && (!lane.begun(topic) || lane.copied(topic) >= offset));
  }

  private Map<IngestTopic, Map<Integer, Long>> ends(Map<TopicPartition, OffsetAndMetadata> seen) {
    var ends = new HashMap<IngestTopic, Map<Integer, Long>>();
    seen.forEach(
        (at, offset) ->
            ends.computeIfAbsent(intake.topicOf(at.topic()), topic -> new HashMap<>())
                .put(at.partition(), offset.offset()));
    return ends;
  }

  private void forEachCluster(Consumer<StorageCluster> work) {
    sideBySide.run(topology.clusters(), work);
  }
}
