package io.cellmesh.cell.proof;

import io.cellmesh.cell.Origin;
import io.cellmesh.cell.Shards;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiConsumer;

/** A topic of made-up cells of dc2, and what a folding of it has stored. */
final class FoldedTopic {
  static final Shards SHARDS = new Shards(4, 1);
  static final long TIME = 1_000_000;

  private final FoldSource source;
  private final boolean whole;
  private final Map<String, byte[]> stored = new LinkedHashMap<>();
  private PartitionFold fold;
  private long offset;

  /** A cell as it stands in the topic. */
  record Entry(int shard, long id, long digest) {}

  FoldedTopic(FoldSource source, boolean whole) {
    this.source = source;
    this.whole = whole;
    this.fold = new PartitionFold(source, whole);
  }

  static FoldedTopic of(FoldSource source, List<Entry> entries) {
    var topic = new FoldedTopic(source, true);
    topic.fold(entries);
    topic.store();
    return topic;
  }

  /** What an origin's log has told, and another data centre's topics of these cells. */
  static Agreement agreement(FoldedTopic there, List<Entry> mesh, List<Entry> log) {
    var agreement = new Agreement("dc2", SHARDS);
    there.tell(agreement::there);
    of(FoldSource.MESH, mesh).tell(agreement::here);
    of(FoldSource.LOG, log).tell(agreement::here);
    return agreement;
  }

  /** Cells whose ids rise in each shard, with gaps, over some buckets. */
  static List<Entry> cells(Random random, int count) {
    var last = new long[SHARDS.count()];
    var cells = new ArrayList<Entry>();
    for (int i = 0; i < count; i++) {
      int shard = random.nextInt(last.length);
      last[shard] += random.nextInt(200) == 0 ? 9_000 : 1 + random.nextInt(40);
      cells.add(new Entry(shard, last[shard], random.nextLong()));
    }
    return cells;
  }

  void fold(List<Entry> entries) {
    for (var entry : entries) {
      fold.fold(
          new Origin("dc2", entry.id()), entry.shard(), entry.digest(), offset++, TIME + offset);
    }
  }

  /** Leaves out entries, which have expired. */
  void expire(List<Entry> entries) {
    offset += entries.size();
    fold.cut(offset, TIME + offset);
  }

  /** Writes down what has changed, as the folding of a topic does from time to time. */
  void store() {
    fold.takeChanged().forEach((key, bucket) -> stored.put(key.text(), BucketCodec.write(bucket)));
  }

  /** Goes on as another process would, from what is stored. */
  void restart() {
    fold = new PartitionFold(source, whole);
    stored.forEach(
        (text, value) -> {
          var key = BucketKey.parse(text).orElseThrow();
          fold.resume(key, BucketCodec.read(key, value).orElseThrow());
        });
  }

  /** What is stored, as text. */
  Map<String, String> stored() {
    var texts = new LinkedHashMap<String, String>();
    stored.forEach((key, value) -> texts.put(key, new String(value, StandardCharsets.UTF_8)));
    return texts;
  }

  void tell(BiConsumer<byte[], byte[]> reader) {
    stored.forEach((key, value) -> reader.accept(key.getBytes(StandardCharsets.UTF_8), value));
  }

  /** Tells how far the folding is, at a time in milliseconds. */
  void tellPlace(BiConsumer<byte[], byte[]> reader, long at) {
    tellPlace(reader, at, 0);
  }

  /** The same of one in which records had expired, at another time. */
  void tellPlace(BiConsumer<byte[], byte[]> reader, long at, long cutAt) {
    var place = new FoldPlace(source, 0, "id", offset, offset, whole, cutAt, 0, 0, at);
    reader.accept(place.key().getBytes(StandardCharsets.UTF_8), place.value());
  }
}
