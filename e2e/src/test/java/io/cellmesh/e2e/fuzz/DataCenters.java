package io.cellmesh.e2e.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.EnvelopeReader;
import io.cellmesh.cell.EnvelopeWriter;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Origin;
import io.cellmesh.cell.Printable;
import io.cellmesh.cell.Shards;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexEntryCodec;
import io.cellmesh.cell.index.IndexRow;
import io.cellmesh.cell.index.LogCell;
import io.cellmesh.cell.index.MisfitException;
import io.cellmesh.e2e.fuzz.PoisonRecords.Poisoned;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a record passes on its way from a producer to the sink of another data centre, without
 * servers: the sink's decoding, the stored form, the log's envelope, the indexes' projection, the
 * mesh's envelope, and the other sink's decoding under a limit of its own.
 */
final class DataCenters implements AutoCloseable {
  private static final Shards SHARDS = new Shards(64, 16);
  private static final Instant CREATED = Instant.parse("2026-01-31T12:00:00.123456Z");

  /** An index of each type of shard field, and one of all types. */
  private static final List<IndexDefinition> INDEXES =
      List.of(
          index("by_who", "who, type: UUID", "name, type: string", "count, type: integer"),
          index("by_name", "name, type: string", "ratio, type: double", "paid, type: boolean"),
          index("by_count", "count, type: integer", "fare, type: decimal", "at, type: datetime"),
          index("by_fare", "fare, type: decimal", "who, type: UUID"),
          index("by_time", "at, type: datetime", "count, type: double"));

  private static final Set<String> FIELDS =
      Set.of("who", "name", "count", "ratio", "fare", "paid", "at");

  private final EnvelopeReader here;
  private final EnvelopeReader there;
  private final EnvelopeWriter writer = new EnvelopeWriter();
  private final int limit;
  private long addedId;
  private Body last;

  /**
   * @param limit of the first one's bodies, in bytes
   * @param other of the second one's
   */
  DataCenters(int limit, int other) throws InvalidCellException {
    this.here = new EnvelopeReader(limit);
    this.there = new EnvelopeReader(other);
    this.limit = limit;
    this.last = Body.ofJson("null");
  }

  /** What became of a record. */
  enum Fate {
    REJECTED,
    STORED,
    MISFIT,
    INDEXED
  }

  /** Passes a random record, and compares it with its other spelling. */
  Fate pass(RandomEnvelopes.Drawn drawn) throws Exception {
    Cell cell;
    try {
      cell = here.readCell(drawn.key(), drawn.value());
    } catch (InvalidCellException e) {
      assertReason(e);
      return Fate.REJECTED;
    }
    if (drawn.mended()) {
      assertSameAs(cell, drawn);
    }
    return pass(cell.body().toJson().getBytes(StandardCharsets.UTF_8).length, cell);
  }

  /** Passes a poisoned record; returns the reason for which it was rejected. */
  Optional<String> pass(Poisoned poison) throws Exception {
    try {
      var cell =
          poison.mesh()
              ? here.readMeshCell(poison.key(), poison.bytes())
              : here.readCell(poison.key(), poison.bytes());
      pass(0, cell);
      return Optional.empty();
    } catch (InvalidCellException e) {
      assertReason(e);
      return Optional.of(e.getMessage());
    }
  }

  @Override
  public void close() {
    here.close();
    there.close();
    writer.close();
  }

  private Fate pass(int written, Cell accepted) throws Exception {
    assertThat(written).as("bytes in the log").isLessThanOrEqualTo(limit);
    var origin = accepted.origin().orElse(new Origin("dc1", ++addedId));
    var stored = Body.ofStored(accepted.body().stored().clone());
    var cell = new Cell(accepted.key(), stored, Optional.of(origin));
    assertDecidable(accepted.body(), stored);
    int shard = SHARDS.of(Envelope.key(cell.key()));
    var log = writer.write(new LogRecord(cell, shard, addedId, CREATED));
    var read = here.readLog(Envelope.key(cell.key()), log);
    assertThat(read.cell().key()).isEqualTo(accepted.key());
    assertThat(read.shard()).isEqualTo(shard);
    assertThat(read.cell().body().sameAs(stored)).as("the log's body is the stored one").isTrue();
    assertAcceptedThere(cell);
    return index(log);
  }

  /** Equality is decided for any two bodies, and agrees with the digest. */
  private void assertDecidable(Body accepted, Body stored) {
    assertThat(stored.sameAs(accepted)).isTrue();
    boolean same = stored.sameAs(last);
    assertThat(last.sameAs(stored)).isEqualTo(same);
    assertThat(last.digest().equals(stored.digest())).isEqualTo(same);
    last = stored;
  }

  /** The next data centre stores the same, and writes the same on. */
  private void assertAcceptedThere(Cell cell) throws InvalidCellException {
    var mesh = writer.write(cell);
    var taken = there.readMeshCell(Envelope.key(cell.key()), mesh);
    assertThat(taken.key()).isEqualTo(cell.key());
    assertThat(taken.origin()).isEqualTo(cell.origin());
    assertThat(taken.body().sameAs(cell.body())).as("the body in both").isTrue();
    assertThat(writer.write(taken)).isEqualTo(mesh);
  }

  /** Both spellings are one cell; of sizes about the limit one may be too long. */
  private void assertSameAs(Cell cell, RandomEnvelopes.Drawn drawn) {
    try {
      var other = here.readCell(drawn.key(), drawn.respelled());
      assertThat(other.key()).isEqualTo(cell.key());
      assertThat(other.body().sameAs(cell.body())).as("both spellings are equal").isTrue();
      assertThat(other.body().digest()).isEqualTo(cell.body().digest());
    } catch (InvalidCellException e) {
      assertThat(e.getMessage()).containsAnyOf("over the limit of", "a number over");
    }
  }

  private static Fate index(byte[] log) throws Exception {
    // No index looks at other columns.
    var cell = LogCell.read(log, Map.of("BASE", FIELDS, "STATUS", FIELDS));
    if (cell.isEmpty()) {
      return Fate.STORED;
    }
    var fate = Fate.STORED;
    for (var definition : INDEXES) {
      try {
        fate = index(definition, cell.get()) ? Fate.INDEXED : fate;
      } catch (MisfitException e) {
        assertThat(e.rule()).isNotEmpty().doesNotContain("can't be told");
        fate = fate == Fate.STORED ? Fate.MISFIT : fate;
      }
    }
    return fate;
  }

  /** Whether it gave entries; each can be read back, and so can the row. */
  private static boolean index(IndexDefinition definition, LogCell cell) throws MisfitException {
    var empty = IndexRow.empty(definition, cell.rowKey());
    var change = empty.apply(cell.columnName(), cell.refKey(), cell.body());
    var codec = new IndexEntryCodec(definition);
    for (var entry : change.entries()) {
      SHARDS.of(IndexEntryCodec.shardValue(codec.key(entry)));
      assertThat(codec.read(codec.key(entry), codec.value(entry))).isEqualTo(entry);
    }
    var bytes = change.row().toBytes();
    var row = IndexRow.ofBytes(definition, cell.rowKey(), bytes);
    assertThat(row.toBytes()).isEqualTo(bytes);
    assertThat(row.apply(cell.columnName(), cell.refKey(), cell.body()).entries())
        .as("said again")
        .isEqualTo(change.entries());
    return !change.entries().isEmpty();
  }

  private static void assertReason(InvalidCellException e) {
    assertThat(e.field()).isNotEmpty();
    assertThat(e.getMessage())
        .startsWith(Printable.of(e.field()))
        .isEqualTo(Printable.of(e.getMessage()));
  }

  private static IndexDefinition index(String name, String... fields) {
    var yaml = new StringBuilder("table: " + name + "\ndatastore: trips\ncolumn_defs:\n");
    for (var column : List.of("BASE", "STATUS")) {
      yaml.append("  - column_key: ").append(column).append("\n    fields:\n");
      for (var field : fields) {
        yaml.append("      - {field: ").append(field);
        yaml.append(", as: ").append(column.charAt(0) == 'B' ? "b_" : "s_");
        yaml.append(field, 0, field.indexOf(',')).append("}\n");
      }
    }
    return IndexDefinition.parse(yaml.toString());
  }
}
