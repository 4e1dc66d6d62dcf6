package io.cellmesh.stack.chaos;

import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.verify.IngestArchive;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.PartitionReader;
import io.cellmesh.topics.TopicOffsets;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Counts what became of every record, with SQL, a JSON parser and Kafka's consumer alone: what the
 * product's own readers get wrong it gets right. A stack without secrets, at rest, whose ingest
 * topics were archived.
 */
public final class IndependentCheck {
  private static final int TOLD = 20;

  private final List<DataCenter> datacenters;
  private final Map<String, IngestArchive> archives;
  private final Map<String, Expected> expected;
  private final Map<String, Set<String>> knownRows = new HashMap<>();
  private final Map<String, Counts> counts = new LinkedHashMap<>();
  private final List<String> offences = new ArrayList<>();

  /**
   * @param archives by data centre, each with all that its ingest topics ever had
   * @param known by data centre: the highest acknowledged ref_key of the rows of {@link KnownCells}
   */
  public IndependentCheck(
      List<DataCenter> datacenters,
      Map<String, IngestArchive> archives,
      Map<String, Map<UUID, Long>> known) {
    this(
        archives,
        known.entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, rows -> Expected.of(rows.getValue()))),
        datacenters);
  }

  /**
   * @param expected by data centre
   */
  IndependentCheck(
      Map<String, IngestArchive> archives,
      Map<String, Expected> expected,
      List<DataCenter> datacenters) {
    this.datacenters = datacenters;
    this.archives = archives;
    this.expected = expected;
    expected.forEach(
        (dc, here) ->
            knownRows.put(
                dc,
                here.known().keySet().stream().map(UUID::toString).collect(Collectors.toSet())));
  }

  /** Reads everything once. */
  public List<Account> run() throws SQLException {
    var clients = new ArrayList<KafkaConsumer<byte[], byte[]>>();
    try {
      for (var dc : datacenters) {
        clients.add(Consumers.open(dc.kafka()));
        counts.put(dc.name(), new Counts());
        readRejected(dc, clients.get(clients.size() - 1));
      }
      for (int p = 0; p < datacenters.get(0).topology().shards().partitions(); p++) {
        var held = new ArrayList<RawPartition>();
        for (int i = 0; i < datacenters.size(); i++) {
          held.add(RawPartition.read(datacenters.get(i), p, clients.get(i)));
          own(datacenters.get(i), p, held.get(i));
        }
        across(p, held);
      }
    } finally {
      clients.forEach(KafkaConsumer::close);
    }
    counts.forEach(this::unmet);
    expected.forEach(
        (dc, here) ->
            here.deliveries().ifPresent(came -> counts.get(dc).triggeredLate = came.reordered()));
    return counts.entrySet().stream().map(e -> e.getValue().of(e.getKey())).toList();
  }

  /** What was told of places where there is no record. */
  private void unmet(String dc, Counts count) {
    count.told.forEach(
        (place, told) -> {
          if (!told.met) {
            count.toldOtherwise++;
            offence(dc, place, "is told, and there is no such record");
          }
        });
  }

  /** The first of what is not as it must be, a line each. */
  public List<String> offences() {
    return List.copyOf(offences);
  }

  private void readRejected(DataCenter dc, KafkaConsumer<byte[], byte[]> client) {
    var topic = TopicOffsets.of(client, dc.topology().instance() + ".rejected");
    var count = counts.get(dc.name());
    new PartitionReader(client)
        .read(
            topic,
            record -> {
              var place =
                  header(record, "topic")
                      + "-"
                      + header(record, "partition")
                      + "@"
                      + header(record, "offset");
              var told = new ToldRecord(record);
              var before = count.told.putIfAbsent(place, told);
              if (before != null) {
                count.toldAgain++;
                if (!told.isLike(before)) {
                  count.toldOtherwise++;
                  offence(dc.name(), place, "is told twice, each time as another record");
                }
              }
            });
  }

  /** What one data centre made of its own topics. */
  private void own(DataCenter dc, int partition, RawPartition held) {
    var count = counts.get(dc.name());
    held.shards().values().forEach(rows -> count.cells += rows.size());
    count.repeated += held.repeated();
    count.reordered += held.reordered();
    if (held.logDifference() > 0) {
      count.lost += held.logDifference();
      offence(
          dc.name(), "log-" + partition, held.logDifference() + " cells differ from the tables");
    }
    var here = expected.get(dc.name());
    here.deliveries().ifPresent(came -> triggered(dc.name(), held, came));
    for (var topic : List.of(".cells", ".mesh")) {
      var at = new TopicPartition(dc.topology().instance() + topic, partition);
      var seen = new HashSet<String>();
      var last = new HashMap<String, Long>();
      archives
          .get(dc.name())
          .read(
              at,
              Long.MAX_VALUE,
              record -> {
                count.records++;
                fate(dc.name(), record, here.fates());
                ingested(dc.name(), record, held)
                    .filter(row -> seen.add(row.key()))
                    .ifPresent(row -> inOrder(dc.name(), row, last));
              });
    }
  }

  /** Compares what was told of a record with what must have become of it. */
  private void fate(String dc, ConsumerRecord<byte[], byte[]> record, Map<String, Fate> fates) {
    var place = place(record);
    var fate = fates.get(place);
    boolean told = counts.get(dc).told.containsKey(place);
    if (fate != null && told != (fate == Fate.REJECTED)) {
      counts.get(dc).misjudged++;
      offence(dc, place, told ? "is sound, and told as rejected" : "is not told as rejected");
    }
    if (fate != null) {
      counts.get(dc).compared++;
    }
  }

  private static String place(ConsumerRecord<byte[], byte[]> record) {
    return record.topic() + "-" + record.partition() + "@" + record.offset();
  }

  private void triggered(String dc, RawPartition held, Deliveries came) {
    for (var shard : held.shards().entrySet()) {
      for (var row : shard.getValue()) {
        if (!came.has(shard.getKey(), row.addedId())) {
          counts.get(dc).untriggered++;
          offence(dc, row.key(), "never came to the trigger");
        }
      }
    }
  }

  /** Of the mesh, each origin has an order of its own. */
  private void inOrder(String dc, RawPartition.Row row, Map<String, Long> last) {
    if (last.merge(row.shard() + row.origin(), row.addedId(), Math::max) != row.addedId()) {
      counts.get(dc).reordered++;
      offence(dc, row.key(), "stands before one that came earlier");
    }
  }

  /**
   * Judges one record of a topic.
   *
   * @return the row that it, or an equal one, brought in
   */
  private Optional<RawPartition.Row> ingested(
      String dc, ConsumerRecord<byte[], byte[]> record, RawPartition held) {
    var count = counts.get(dc);
    var place = place(record);
    var told = count.told.get(place);
    var cell = RawCell.parse(record.value());
    boolean stored = cell.filter(held::has).isPresent();
    if (told != null) {
      told.met = true;
      count.rejected++;
      if (!told.isOf(record) && told.isRebuiltOf(cell)) {
        count.rebuilt++;
      } else if (!told.isOf(record)) {
        count.toldOtherwise++;
        offence(dc, place, "is told as another record");
      }
      if (stored) {
        count.phantom++;
        offence(dc, place, "is stored and told as rejected: " + cell.get().key());
      } else if (cell.filter(c -> isKnown(dc, c.key())).isPresent()
          && record.topic().endsWith(".cells")) {
        count.conflicts++;
      }
      return Optional.empty();
    }
    if (!stored) {
      count.lost++;
      offence(
          dc, place, "is neither stored nor rejected" + cell.map(c -> ": " + c.key()).orElse(""));
      return Optional.empty();
    }
    var row = held.row(cell.get().key());
    return Optional.of(row).filter(r -> r.origin().equals(cell.get().origin().orElse(dc)));
  }

  private boolean isKnown(String dc, String key) {
    return knownRows.get(dc).contains(RawCell.rowOf(key));
  }

  /** Whether the data centres agree on a partition, and have every acknowledged cell. */
  private void across(int partition, List<RawPartition> held) {
    for (int from = 0; from < held.size(); from++) {
      for (int to = 0; to < held.size(); to++) {
        acknowledged(partition, datacenters.get(from).name(), to, held.get(to));
        if (from != to) {
          agree(held.get(from), datacenters.get(from).name(), held.get(to), to);
        }
      }
    }
  }

  /** The known cells of a row have the ref_keys 1, 2, 3 …, and a data centre has all of them. */
  private void acknowledged(int partition, String origin, int to, RawPartition here) {
    var dc = datacenters.get(to).name();
    var shards = datacenters.get(to).topology().shards();
    expected.get(origin).known().entrySet().stream()
        .filter(row -> shards.partitionOf(shards.of(row.getKey())) == partition)
        .forEach(
            row -> {
              for (long ref = 1; ref <= row.getValue(); ref++) {
                var key = RawCell.key(row.getKey().toString(), "BASE", ref);
                if (here.row(key) == null) {
                  counts.get(dc).lost++;
                  offence(dc, key, "was acknowledged in " + origin + " and is not here");
                }
              }
            });
  }

  private void agree(RawPartition there, String origin, RawPartition here, int to) {
    var dc = datacenters.get(to).name();
    for (var shard : there.shards().values()) {
      long last = 0;
      for (var row : shard) {
        if (!row.origin().equals(origin)) {
          continue;
        }
        var copy = here.row(row.key());
        if (copy != null && !copy.origin().equals(origin)) {
          // Both accepted it: each keeps its own.
          continue;
        }
        if (copy == null
            || copy.originId() != row.addedId()
            || copy.addedId() <= last
            || here.digest(row.key()) != there.digest(row.key())) {
          counts.get(dc).disagreeing++;
          offence(
              dc,
              row.key(),
              copy == null ? "of " + origin + " is missing" : "is not as in " + origin);
        }
        last = copy == null ? last : copy.addedId();
      }
    }
    for (var shard : here.shards().values()) {
      for (var row : shard) {
        var original = row.origin().equals(origin) ? there.row(row.key()) : row;
        if (original == null || !original.origin().equals(row.origin())) {
          counts.get(dc).disagreeing++;
          offence(dc, row.key(), "is said to be from " + origin + ", which has not written it");
        }
      }
    }
  }

  private void offence(String dc, String what, String text) {
    if (offences.size() < TOLD) {
      offences.add(dc + ": " + what + " " + text);
    }
  }

  private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    var header = record.headers().lastHeader("__connect.errors." + name);
    return header == null ? "?" : new String(header.value(), StandardCharsets.UTF_8);
  }
}
