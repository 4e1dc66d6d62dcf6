package io.cellmesh.operations.index;

import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.connect.client.Waiting;
import io.cellmesh.operations.OperationException;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.GroupLag;
import io.cellmesh.topics.TopicOffsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;

/**
 * How far the filling of new tables is: first index-streams reads what was in the log when the
 * looking began, then the sink connector writes what came of it. Told by committed offsets, so it
 * lags behind what is done by a commit interval of each.
 */
public final class BuildMonitor implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(250);

  /** It looks for passes every second, and commits as often. */
  private static final Duration READER = Duration.ofSeconds(90);

  private final IndexSite site;
  private final String pass;
  private final String application;
  private final List<IndexDefinition> definitions;
  private final KafkaConsumer<byte[], byte[]> client;
  private final Admin admin;
  private final List<TopicOffsets> read = new ArrayList<>();

  BuildMonitor(IndexSite site, String pass, List<IndexDefinition> definitions, boolean backfilled) {
    this.site = site;
    this.pass = pass;
    this.application = site.application(pass);
    this.definitions = List.copyOf(definitions);
    this.client = Consumers.open(site.dc().kafka());
    this.admin = Consumers.admin(site.dc().kafka());
    var topics = site.topology().topics();
    read.add(TopicOffsets.of(client, topics.log()));
    if (backfilled) {
      read.add(TopicOffsets.of(client, topics.indexBackfill(pass)));
    }
  }

  /** Records that index-streams has to read. */
  public long total() {
    return read.stream().mapToLong(TopicOffsets::retained).sum();
  }

  /**
   * Waits until all of them are read.
   *
   * @param progress called with the number of records read so far
   */
  public void awaitRead(LongConsumer progress) throws InterruptedException {
    awaitReader();
    await(Map.of(application, read), total(), progress);
  }

  /** Nobody may follow the topic of passes, which must not look like a slow one. */
  private void awaitReader() throws InterruptedException {
    boolean begun =
        Waiting.within(
            READER, POLL, () -> total() == 0 || !GroupLag.committed(admin, application).isEmpty());
    if (!begun) {
      throw OperationException.unavailable(
          "no index-streams process has begun with %s after %d s; see its log, or start one (docs/indexes.md)"
              .formatted(application, READER.toSeconds()));
    }
  }

  /** Entries that the sink has to write, once everything is read. */
  public Map<String, List<TopicOffsets>> entries() {
    var topics = definitions.stream().map(d -> TopicOffsets.of(client, site.topic(d))).toList();
    return Map.of(site.sinkGroup(pass), topics);
  }

  /** How many there are. */
  public static long total(Map<String, List<TopicOffsets>> entries) {
    return entries.values().stream().flatMap(List::stream).mapToLong(TopicOffsets::retained).sum();
  }

  /** Waits until they are written. */
  public void awaitWritten(Map<String, List<TopicOffsets>> entries, LongConsumer progress)
      throws InterruptedException {
    await(entries, total(entries), progress);
  }

  @Override
  public void close() {
    client.close();
    admin.close();
  }

  private void await(Map<String, List<TopicOffsets>> groups, long total, LongConsumer progress)
      throws InterruptedException {
    Waiting.until(
        POLL,
        () -> {
          long left = left(groups);
          progress.accept(total - left);
          return left == 0;
        });
  }

  private long left(Map<String, List<TopicOffsets>> groups) throws InterruptedException {
    long left = 0;
    for (var group : groups.entrySet()) {
      var committed = GroupLag.committed(admin, group.getKey());
      for (var topic : group.getValue()) {
        left += GroupLag.of(committed, topic);
      }
    }
    return left;
  }
}
