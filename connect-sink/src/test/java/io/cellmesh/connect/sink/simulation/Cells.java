package io.cellmesh.connect.sink.simulation;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.Origin;
import io.cellmesh.cell.Topology;
import io.cellmesh.storage.IngestTopic;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;

/**
 * What producers send: cells of few rows and few keys, so that they meet each other, of both
 * topics, and now and then a record that is none.
 */
final class Cells {
  private static final int ROWS = 2;
  private static final int REFS = 40;

  /** MySQL takes no value of cells from here on. */
  private static final long MISFITS = 1000;

  private static final byte[] POISON = "no cell".getBytes(StandardCharsets.UTF_8);

  private final Topology topology;
  private final List<List<UUID>> rows = new ArrayList<>();
  private final Map<Cell, byte[]> values = new HashMap<>();
  private final Map<String, Body> bodies = new HashMap<>();

  Cells(Topology topology) {
    this.topology = topology;
    var random = new Random(29);
    for (int shard = 0; shard < topology.shards().count(); shard++) {
      rows.add(new ArrayList<>());
    }
    while (rows.stream().anyMatch(some -> some.size() < ROWS)) {
      var row = new UUID(random.nextLong(), random.nextLong());
      rows.get(topology.shards().of(row)).add(row);
    }
  }

  /** Produces some records, always the same ones for a seed. */
  void produce(ModelledKafka kafka, ModelledKafka.Log log, int count, long seed, long now) {
    var random = new Random(seed);
    for (int i = 0; i < count; i++) {
      int partitions = topology.shards().partitions();
      int shard =
          log.at.partition() + partitions * random.nextInt(topology.shards().count() / partitions);
      var cell = cell(log.topic, shard, random);
      boolean poison = random.nextInt(60) == 0;
      var owner = topology.clusterOf(shard).name();
      kafka.produce(
          log,
          Envelope.key(cell.key()),
          poison ? POISON : values.computeIfAbsent(cell, Envelope::write),
          poison ? null : new Produced(shard, owner, cell),
          now);
    }
  }

  private Cell cell(IngestTopic topic, int shard, Random random) {
    var row = rows.get(shard).get(random.nextInt(ROWS));
    var body = bodies.computeIfAbsent("{\"v\":" + (random.nextInt(5) / 4) + "}", Cells::body);
    long ref = random.nextInt(60) == 0 ? MISFITS : random.nextInt(REFS);
    var origin =
        topic == IngestTopic.MESH
            ? Optional.of(new Origin("dc2", 1 + ref))
            : Optional.<Origin>empty();
    try {
      return new Cell(new CellKey(row, "BASE", ref), body, origin);
    } catch (RuntimeException e) {
      throw new AssertionError(e);
    }
  }

  /** Whether MySQL takes the values of a cell. */
  static boolean fits(Cell cell) {
    return cell.key().refKey() < MISFITS;
  }

  private static Body body(String json) {
    try {
      return Body.ofJson(json);
    } catch (InvalidCellException e) {
      throw new AssertionError(e);
    }
  }
}
