package io.cellmesh.worker.status;

import io.cellmesh.operations.buffer.BufferCell;
import io.cellmesh.operations.buffer.BufferView;
import io.cellmesh.operations.index.UnindexedReport;
import io.cellmesh.operations.trigger.ParkedCells;
import io.cellmesh.operations.trigger.TriggerStatus;
import io.cellmesh.storage.ConflictListing;
import io.cellmesh.topics.trigger.Definition;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** What there is to see of an instance. */
public sealed interface StatusView {

  /**
   * How everything is.
   *
   * @param datacenter that the worker serves
   * @param startedAt since when the worker has looked
   * @param pulseAt when the MySQL servers of the data centre were asked last
   * @param alarms what is not well, the worst first
   * @param missing records of ingest topics that nobody has any more, in sentences
   */
  record Overview(
      String instance,
      String datacenter,
      List<String> datacenters,
      Instant startedAt,
      Instant pulseAt,
      List<Alarm> alarms,
      Looked<List<PartView>> parts,
      Looked<List<HopView>> hops,
      Looked<List<String>> missing,
      Looked<List<String>> warnings)
      implements StatusView {}

  /**
   * A part, as it was seen last.
   *
   * @param since when it was first seen as it is
   * @param atLeast whether it may have been so before
   */
  record PartView(
      String datacenter,
      String name,
      String address,
      boolean up,
      String detail,
      Instant since,
      boolean atLeast) {}

  /**
   * A hop of a cell's way.
   *
   * @param behindSince since when it was behind at every look; empty if it is not
   * @param hour how far it was behind, one sample a minute
   */
  record HopView(
      String datacenter,
      String name,
      long behind,
      Optional<Instant> behindSince,
      List<SampleView> hour) {}

  /** A figure at a moment. */
  record SampleView(Instant at, long value) {}

  /**
   * The shards.
   *
   * @param since from when on growth and rejections are counted: an hour ago at the most
   */
  record Shards(Optional<Instant> since, Looked<List<ShardView>> shards) implements StatusView {}

  /**
   * One shard.
   *
   * @param cells of its entity table
   * @param exact whether they were counted; else the server estimates them
   * @param grown cells that came since the oldest sample of the last hour
   * @param lag records of its partition of the ingest topics that its primary has not applied;
   *     empty if that is not known
   * @param mostLag the highest of the last hour
   * @param rejected records of the last hour that were rejected
   */
  record ShardView(
      int shard,
      int partition,
      String cluster,
      long cells,
      boolean exact,
      long grown,
      Optional<Long> lag,
      long mostLag,
      long rejected) {}

  /** The versions of the indexes, and what is to be said about them. */
  record Indexes(Looked<List<IndexView>> indexes, Looked<List<String>> warnings)
      implements StatusView {}

  /**
   * A version of an index.
   *
   * @param toRead records of the log that are not in its topic yet; empty if that is not known
   * @param toWrite entries that are not in its tables yet; empty if that is not known
   * @param fields of the definition, the shard field first
   */
  record IndexView(
      String datacenter,
      String name,
      int version,
      String state,
      String pass,
      Optional<Long> toRead,
      Optional<Long> toWrite,
      List<String> fields) {}

  /**
   * What was refused, each with its reason.
   *
   * @param rejected the newest that the worker has read of the topic
   * @param inLastHour how many of them came in the last hour
   * @param conflicts the newest decisions of the ledgers
   * @param unindexed by the rule that was broken, of the newest reports
   */
  record Refused(
      Looked<List<RejectedTail.Rejected>> rejected,
      long inLastHour,
      Looked<List<ConflictListing.Entry>> conflicts,
      Looked<List<ParkedView>> parked,
      Looked<List<UnindexedReport.Reports>> unindexed)
      implements StatusView {}

  /** A row that a trigger has parked. */
  record ParkedView(String trigger, UUID row, long cells, Instant since, String reason) {
    static ParkedView of(String trigger, ParkedCells.Row row) {
      var marker = row.marker();
      return new ParkedView(
          trigger, row.row(), marker.count(), marker.since(), marker.reason().text());
    }
  }

  /** The triggers of the data centre. */
  record Triggers(Looked<List<TriggerView>> triggers) implements StatusView {}

  /**
   * A trigger.
   *
   * @param columns none if it is called with all
   */
  record TriggerView(
      String name,
      String topic,
      List<String> columns,
      String order,
      String start,
      Instant createdAt,
      boolean works,
      List<String> findings,
      Optional<String> pausedBy,
      long members,
      long lagCells,
      long lagMillis,
      long parkedRows,
      long parkedCells,
      long requests,
      List<PlaceView> partitions) {
    static TriggerView of(TriggerStatus trigger) {
      var definition = trigger.definition();
      return new TriggerView(
          trigger.name().text(),
          definition.topic(),
          List.copyOf(definition.columns()),
          Definition.text(definition.order()),
          definition.start().text(),
          trigger.createdAt(),
          trigger.works(),
          trigger.findings(),
          trigger.pause().map(pause -> pause.by()),
          trigger.members().size(),
          trigger.lagCells(),
          trigger.lag().toMillis(),
          trigger.parkedRows(),
          trigger.parkedCells(),
          trigger.requests(),
          trigger.partitions().stream()
              .map(
                  each ->
                      new PlaceView(
                          each.partition(),
                          each.next().isPresent()
                              ? Optional.of(each.next().getAsLong())
                              : Optional.empty(),
                          each.place().end(),
                          each.lagCells(),
                          each.parkedRows()))
              .toList());
    }
  }

  /**
   * Where a trigger stands in a partition.
   *
   * @param next the committed offset; empty if its place is gone
   */
  record PlaceView(int partition, Optional<Long> next, long end, long lagCells, long parkedRows) {}

  /**
   * What the buffers hold for whom.
   *
   * @param cells by primary, the first that wait, without their bodies
   */
  record Buffers(Looked<BufferView> buffers, Looked<Map<String, List<WaitingView>>> cells)
      implements StatusView {}

  /** A cell in a buffer. */
  record WaitingView(
      String records,
      long offset,
      String cell,
      UUID row,
      Instant since,
      List<String> secondaries,
      String state) {
    static WaitingView of(BufferCell held) {
      var key = held.cell().key();
      return new WaitingView(
          held.records(),
          held.offset(),
          key.toString(),
          key.rowKey(),
          held.since(),
          held.secondaries(),
          held.state());
    }
  }

  /**
   * All cells of a row that are found anywhere, and where each stands.
   *
   * @param position the place in the ingest topic that was asked for as well; empty if none was
   * @param count of all cells, of which those that are too many are not shown
   */
  record Row(
      UUID row,
      int shard,
      int partition,
      String cluster,
      Optional<String> position,
      int count,
      List<PlaceFound> places,
      List<CellStand> cells)
      implements StatusView {}

  /**
   * A place where cells may be.
   *
   * @param asked whether it could be asked; if not, {@code note} says why
   * @param note what else there is to say
   */
  record PlaceFound(String id, String kind, String name, boolean asked, String note) {}

  /**
   * A cell.
   *
   * @param ref the ref_key, as a text: a browser's numbers have no 64 bits
   * @param latest whether it has the highest ref_key of its column
   * @param body as JSON, for no number is to become another on the way
   * @param stands by the place's id: yes, no, or unknown
   */
  record CellStand(
      String column,
      String ref,
      boolean latest,
      Optional<Long> addedId,
      Optional<Instant> createdAt,
      Optional<String> origin,
      String body,
      Map<String, String> stands) {}
}
