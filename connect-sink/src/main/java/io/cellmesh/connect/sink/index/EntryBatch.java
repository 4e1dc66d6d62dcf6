package io.cellmesh.connect.sink.index;

import io.cellmesh.cell.index.IndexEntry;
import io.cellmesh.cell.index.MisfitException;
import io.cellmesh.connect.sink.index.EntryDecoder.Placed;
import io.cellmesh.connect.sink.index.PartitionProgress.Span;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.connect.sink.SinkRecord;

/** What one cluster gets of the records of a poll: one transaction. */
final class EntryBatch {
  private final List<Item> items;
  private final List<Refused> refused;
  private final Map<PartitionProgress, Span> spans = new LinkedHashMap<>();

  EntryBatch() {
    this(new ArrayList<>(), new ArrayList<>());
  }

  private EntryBatch(List<Item> items, List<Refused> refused) {
    this.items = items;
    this.refused = refused;
  }

  private record Item(Placed placed, SinkRecord record) {}

  /** A record that the cluster does not take, whatever is tried. */
  record Refused(SinkRecord record, MisfitException reason) {}

  /** Adds an entry and the record that it was read from. */
  void add(PartitionProgress progress, Span span, Placed placed, SinkRecord record) {
    spans.put(progress, span);
    items.add(new Item(placed, record));
  }

  /** Entries by index and shard, in the order of their offsets. */
  Map<Integer, Map<Integer, List<IndexEntry>>> indexes() {
    var indexes = new TreeMap<Integer, Map<Integer, List<IndexEntry>>>();
    for (var item : items) {
      indexes
          .computeIfAbsent(item.placed.index(), index -> new TreeMap<>())
          .computeIfAbsent(item.placed.shard(), shard -> new ArrayList<>())
          .add(item.placed.entry());
    }
    return indexes;
  }

  int size() {
    return items.size();
  }

  /** The time of the oldest record, in milliseconds; {@link Long#MAX_VALUE} if none has one. */
  long oldest() {
    long oldest = Long.MAX_VALUE;
    for (var item : items) {
      if (item.record.timestamp() != null) {
        oldest = Math.min(oldest, item.record.timestamp());
      }
    }
    return oldest;
  }

  /** Both halves, to find what the whole is refused for; what they refuse is refused by all. */
  List<EntryBatch> halves() {
    int middle = items.size() / 2;
    return List.of(
        new EntryBatch(items.subList(0, middle), refused),
        new EntryBatch(items.subList(middle, items.size()), refused));
  }

  /** Notes that its only entry is refused. */
  void refuse(MisfitException reason) {
    refused.add(new Refused(items.get(0).record, reason));
  }

  /** What was refused since the last call. */
  List<Refused> takeRefused() {
    var taken = List.copyOf(refused);
    refused.clear();
    return taken;
  }

  /** Notes that all of it is in the cluster's tables, or refused and told. */
  void written(String cluster) {
    spans.forEach((progress, span) -> progress.wrote(cluster, span));
  }
}
