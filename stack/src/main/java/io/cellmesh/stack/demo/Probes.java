package io.cellmesh.stack.demo;

import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexEntry;
import io.cellmesh.cell.index.IndexRow;
import io.cellmesh.cell.index.MisfitException;
import io.cellmesh.connect.client.Waiting;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.storage.CellReader;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.index.IndexCatalog;
import io.cellmesh.storage.index.IndexQuery;
import io.cellmesh.storage.index.IndexReader;
import io.cellmesh.storage.index.IndexVersion;
import io.cellmesh.topics.load.CellProducer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * Sends cells through a quiet pipeline, one after the other, and times each hop from the moment in
 * which Kafka had accepted the cell.
 */
public final class Probes {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration LOOK = Duration.ofMillis(1);

  private final Deployment deployment;
  private final Pools pools;
  private final Samples accepted = new Samples("producer → accepted by Kafka");
  private final Samples visible = new Samples("accepted → visible in MySQL");
  private final Samples indexed = new Samples("accepted → found through the index");
  private final Samples billed = new Samples("BASE accepted → STATUS visible, by a trigger");
  private final Map<String, Samples> logged = new LinkedHashMap<>();
  private List<IndexDefinition> indexes = List.of();
  private final Map<String, FirstSight> logs = new LinkedHashMap<>();

  public Probes(Deployment deployment, Pools pools) {
    this.deployment = deployment;
    this.pools = pools;
    var home = deployment.datacenters().get(0).name();
    for (var dc : deployment.datacenters()) {
      var where = dc.name().equals(home) ? "the log of " : "the log of peer ";
      logged.put(dc.name(), new Samples("accepted → " + where + dc.name()));
    }
  }

  /** The indexes that serve in a data centre. */
  public static List<IndexDefinition> serving(DataCenter dc, Pools pools) throws SQLException {
    return new IndexCatalog(dc.topology(), pools)
        .look().stream()
            .filter(version -> version.state() == IndexVersion.State.SERVING)
            .map(IndexVersion::definition)
            .toList();
  }

  /** Sends the cells into the first data centre. */
  public List<Samples> run(List<Cell> cells) throws SQLException, InterruptedException {
    return run(cells, cell -> Optional.empty());
  }

  /** Sends the cells but those that billing writes, and has it bill the trips. */
  public List<Samples> billing(List<Cell> cells) throws SQLException, InterruptedException {
    try (var billing = DemoBilling.start(deployment.datacenters().get(0), cells)) {
      var others = cells.stream().filter(cell -> !billing.writes(cell.key())).toList();
      return run(others, billing::answer);
    }
  }

  private List<Samples> run(List<Cell> cells, Function<CellKey, Optional<CellKey>> answer)
      throws SQLException, InterruptedException {
    var home = deployment.datacenters().get(0);
    indexes = serving(home, pools);
    try (var producer = new CellProducer(home.kafka(), deployment.topics())) {
      for (var dc : deployment.datacenters()) {
        logs.put(dc.name(), FirstSight.start(dc, 2 * cells.size()));
      }
      for (var cell : cells) {
        probe(home, producer, cell, answer.apply(cell.key()));
      }
    } finally {
      for (var log : logs.values()) {
        log.close();
      }
    }
    var samples = new ArrayList<Samples>();
    samples.add(accepted);
    samples.add(visible);
    samples.addAll(logged.values());
    samples.add(indexed);
    samples.add(billed);
    return samples.stream().filter(s -> s.count() > 0).toList();
  }

  private void probe(DataCenter home, CellProducer producer, Cell cell, Optional<CellKey> answer)
      throws SQLException, InterruptedException {
    var acknowledged = new AtomicLong();
    long sent = System.nanoTime();
    producer.send(cell, place -> acknowledged.set(System.nanoTime()));
    producer.flush();
    long start = acknowledged.get();
    accepted.add(sent, start);
    var reader = new CellReader(home.topology(), pools, false);
    if (await(start, () -> reader.get(cell.key()).isPresent())) {
      visible.add(start, System.nanoTime());
    }
    for (var index : indexes) {
      var entry = entry(index, cell);
      if (entry.isPresent() && await(start, () -> found(home, index, entry.get()))) {
        indexed.add(start, System.nanoTime());
      }
    }
    if (answer.isPresent() && await(start, () -> reader.get(answer.get()).isPresent())) {
      billed.add(start, System.nanoTime());
    }
    // Last, since these note by themselves when a cell came.
    for (var log : logs.entrySet()) {
      if (await(start, () -> log.getValue().seenAt(cell.key()) != null)) {
        logged.get(log.getKey()).add(start, log.getValue().seenAt(cell.key()));
      }
    }
  }

  /** Only a row's first version says anything: a later one is found at once. */
  private static Optional<IndexEntry> entry(IndexDefinition index, Cell cell) {
    CellKey key = cell.key();
    if (key.refKey() != 1) {
      return Optional.empty();
    }
    try {
      return IndexRow.empty(index, key.rowKey())
          .apply(key.columnName(), key.refKey(), cell.body())
          .row()
          .entry();
    } catch (MisfitException e) {
      return Optional.empty();
    }
  }

  private boolean found(DataCenter home, IndexDefinition index, IndexEntry entry)
      throws SQLException {
    return new IndexReader(index, home.topology(), pools, false)
        .query(IndexQuery.of(entry.shardValue())).stream()
            .anyMatch(hit -> hit.rowKey().equals(entry.rowKey()));
  }

  private static boolean await(long start, Waiting.Condition<SQLException> condition)
      throws SQLException, InterruptedException {
    return Waiting.within(PATIENCE.minusNanos(System.nanoTime() - start), LOOK, condition);
  }
}
