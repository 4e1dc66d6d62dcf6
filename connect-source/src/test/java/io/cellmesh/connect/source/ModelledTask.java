package io.cellmesh.connect.source;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.GtidSet;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.LogOffset;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.UuidBytes;
import io.cellmesh.connect.source.ModelledBinlog.Row;
import io.cellmesh.connect.source.ModelledBinlog.Transaction;
import io.cellmesh.connect.source.ServerChoice.Read;
import io.cellmesh.connect.source.ServerChoice.Stop;
import io.debezium.connector.binlog.BinlogOffsetContext;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * A source task: the real core over a modelled connection, driven as {@link BinlogStream} and
 * {@link CellSource} drive it. Each turn is a second.
 */
final class ModelledTask {
  private static final String NAME = "trips.dc1.c1";
  private static final int CONFIRMATION = 2;
  private static final long MOST_BYTES = 700;
  private static final io.debezium.data.Envelope ENVELOPE = DebeziumRows.envelope(NAME);
  private static final byte[] BODY = body().stored();

  private final ModelledLog log;
  private final ServerChoice choice;
  private final ModelledBinlog listedMaster;
  private final ResumePoint resumePoint;
  private final RecordBatcher batcher;
  private final RowIntake intake;
  private final Set<String> handedOut = new HashSet<>();
  private final Map<ModelledBinlog, ServerState> known = new HashMap<>();
  private Optional<GtidSet> passedThen = Optional.empty();
  private int awayFor;
  private int stopFor;

  // The connection.
  private ModelledBinlog current;
  private int next;
  private int row;
  private GtidSet passed;

  /**
   * @param listedMaster as its map has it
   */
  ModelledTask(
      FakeTaskContext connect,
      ModelledLog log,
      Topology topology,
      ModelledBinlog listedMaster,
      ServerChoice choice) {
    this.log = log;
    this.choice = choice;
    this.listedMaster = listedMaster;
    this.resumePoint = new ResumePoint(connect, NAME);
    if (resumePoint.offset().isEmpty()) {
      resumePoint.moveTo(LogOffset.after(SourceSimulation.CREATION));
    }
    var writer =
        new LogWriter(topology, ShardTopics.PARTITION, List.of("BASE"), resumePoint.partition());
    this.batcher = new RecordBatcher(writer, MOST_BYTES);
    this.intake =
        new RowIntake(
            resumePoint,
            batcher,
            event -> {},
            event -> {
              throw new AssertionError(event.describe());
            });
  }

  /** Something that the task says is for a person to mend. */
  static final class Stopped extends RuntimeException {
    private static final long serialVersionUID = 1;

    Stopped(String message) {
      super(message);
    }
  }

  /**
   * One turn: as {@code CellSource.poll}.
   *
   * @param rows most rows that a poll brings
   * @param luck decides whether transactions end with a heartbeat, and whether servers are compared
   */
  void turn(List<ModelledBinlog> servers, int rows, int luck) {
    ask(servers);
    if (batcher.isEmpty()) {
      if (current == null) {
        choose(servers);
      } else if (!current.up) {
        leave();
      } else if (luck % 4 == 0 && shouldMove(servers)) {
        leave();
      } else {
        rows(rows, luck);
      }
    }
    var records = batcher.take();
    for (var record : records) {
      if (!handedOut.add(record.topic() + place(record))) {
        throw new AssertionError("handed out twice: " + record.topic() + place(record));
      }
    }
    log.handedOut(records);
  }

  private static String place(SourceRecord record) {
    return " shard %s, id %s"
        .formatted(
            ModelledLog.header(record, Envelope.SHARD_HEADER),
            ModelledLog.header(record, Envelope.ADDED_ID_HEADER));
  }

  /** The connection is lost: Debezium's task is thrown away with what it has read. */
  void leave() {
    current = null;
  }

  ModelledBinlog current() {
    return current;
  }

  /** What it remembers of the servers says that a promotion has begun. */
  boolean knowsOfPromotion() {
    return known.values().stream().anyMatch(ServerState::leftReplication);
  }

  /** As {@code ServerMonitor}. */
  private void ask(List<ModelledBinlog> servers) {
    for (var server : servers) {
      known.compute(
          server, (s, before) -> s.state(s == listedMaster).after(Optional.ofNullable(before)));
    }
  }

  private List<ServerState> states(List<ModelledBinlog> servers) {
    return servers.stream().map(known::get).toList();
  }

  private void choose(List<ModelledBinlog> servers) {
    awayFor++;
    var decision =
        choice.decide(states(servers), resumePoint.passed(), Duration.ofSeconds(awayFor));
    if (decision instanceof Stop stop) {
      if (++stopFor > CONFIRMATION) {
        throw new Stopped(stop.message());
      }
      return;
    }
    stopFor = 0;
    if (decision instanceof Read read) {
      awayFor = 0;
      current =
          servers.stream().filter(s -> s.server.equals(read.server())).findFirst().orElseThrow();
      resumePoint.begin();
      connect();
    }
  }

  /** As MySQL does it: from the first transaction that is not in the set. */
  private void connect() {
    var from = resumePoint.offset(resumePoint.partition());
    passed = GtidSet.parse((String) from.get(BinlogOffsetContext.GTID_SET_KEY));
    next = 0;
    row = 0;
    skip();
    if (next < current.purged) {
      throw new AssertionError(current + " has purged what is to be read");
    }
  }

  private void skip() {
    while (next < current.log().size() && passed.containsAll(current.log().get(next).set())) {
      next++;
    }
  }

  private boolean shouldMove(List<ModelledBinlog> servers) {
    var before = passedThen;
    passedThen = resumePoint.passed();
    return before.isPresent()
        && choice.prefersAnother(current.server, states(servers), before.get());
  }

  /** Reads some rows. A poll can end within a transaction. */
  private void rows(int most, int luck) {
    int read = 0;
    skip();
    while (next < current.log().size() && read < most) {
      var transaction = current.log().get(next);
      if (row < transaction.rows().size()) {
        read++;
        intake.take(event(transaction, transaction.rows().get(row), ++row));
      } else {
        passed = passed.with(transaction.set());
        row = 0;
        skip();
        if ((next + luck) % 3 == 0) {
          intake.take(heartbeat(Map.of(BinlogOffsetContext.GTID_SET_KEY, written())));
        }
      }
    }
    if (row > 0 && luck % 5 == 0) {
      intake.take(heartbeat(Map.of(BinlogOffsetContext.GTID_SET_KEY, written(), "event", 2L)));
    }
  }

  /** Servers, and Debezium, write a set in more than one way. */
  private String written() {
    return next % 2 == 0 ? passed.toString() : passed.toString().replace(",", ",\n");
  }

  private SourceRecord event(Transaction transaction, Row row, int number) {
    var after =
        new Struct(DebeziumRows.ROW)
            .put("added_id", row.addedId())
            .put("row_key", ByteBuffer.wrap(UuidBytes.of(new UUID(row.shard(), row.cell()))))
            .put("column_name", "BASE")
            .put("ref_key", 1L)
            .put("body", ByteBuffer.wrap(BODY))
            .put("origin", "dc1")
            .put("origin_id", null)
            .put("created_at", 0L);
    var source =
        new Struct(DebeziumRows.SOURCE)
            .put("db", "trips_%04d".formatted(row.shard()))
            .put("gtid", transaction.gtid());
    var offset = Map.of(BinlogOffsetContext.GTID_SET_KEY, written(), "event", 2L, "row", number);
    return new SourceRecord(
        resumePoint.partition(),
        offset,
        "t",
        ENVELOPE.schema(),
        ENVELOPE.create(after, source, Instant.EPOCH));
  }

  private SourceRecord heartbeat(Map<String, ?> offset) {
    return new SourceRecord(resumePoint.partition(), offset, "t", null, null);
  }

  private static Body body() {
    try {
      return Body.ofJson("1");
    } catch (InvalidCellException e) {
      throw new AssertionError(e);
    }
  }
}
