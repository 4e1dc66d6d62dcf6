package io.cellmesh.connect.sink.simulation;

import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.GtidSet;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.storage.Copy;
import io.cellmesh.storage.Decision;
import io.cellmesh.storage.Decision.Place;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.OffsetCell;
import io.cellmesh.storage.Position;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * A MySQL server: the tables that the sink knows, a binlog of what changed them, and what can be
 * wrong with it. What is committed is durable; what is open goes with a crash.
 */
final class ModelledServer {
  final Server server;
  final String cluster;
  private String uuid;
  private final List<Transaction> log = new ArrayList<>();
  private Map<String, Integer> executed = new HashMap<>();
  private GtidSet executedSet = GtidSet.EMPTY;
  private int executedAt;

  // The tables.
  final Map<Integer, Position> positions = new TreeMap<>();
  final Map<CellKey, Row> entity = new HashMap<>();
  final TreeMap<Integer, List<Row>> rows = new TreeMap<>();
  final TreeMap<Long, HeldCopy> buffer = new TreeMap<>();
  final LinkedHashMap<Place, Ledgered> conflicts = new LinkedHashMap<>();
  final Map<String, Integer> epochs = new TreeMap<>();
  private long copyId;

  // What is open.
  final Map<Integer, CompletableFuture<Void>> locks = new HashMap<>();
  int crashes;

  // What is wrong.
  boolean up = true;
  boolean lost;
  boolean removed;
  boolean readOnly;
  long hungUntil;
  long slowUntil;
  long deafUntil;
  long lagUntil;
  long cutUntil;

  // Replication.
  ModelledServer master;
  int received;
  int applied;
  boolean replicating;

  ModelledServer(Server server, String cluster, String uuid) {
    this.server = server;
    this.cluster = cluster;
    this.uuid = uuid;
  }

  /** A stored cell, and the record that it came from. */
  record Row(OffsetCell cell, IngestTopic topic, int partition, String origin) {}

  /** A copy in the buffer. */
  record HeldCopy(long id, Copy copy) {}

  /** A conflict in the ledger. */
  record Ledgered(Decision decision, boolean told) {}

  /** Something that changes the tables. */
  interface Change {
    void on(ModelledServer server);
  }

  private record Transaction(String uuid, int number, Change change) {}

  /** Commits a change of this server's own. */
  void commit(Change change) {
    append(new Transaction(uuid, executed.getOrDefault(uuid, 0) + 1, change));
  }

  private void append(Transaction transaction) {
    log.add(transaction);
    executed.put(transaction.uuid(), transaction.number());
    transaction.change().on(this);
  }

  int committed() {
    return log.size();
  }

  String uuid() {
    return uuid;
  }

  GtidSet executed() {
    if (executedAt != log.size()) {
      var text = new StringBuilder();
      new TreeMap<>(executed).forEach((of, last) -> text.append(of + ":1-" + last + ","));
      executedSet = GtidSet.parse(text.substring(0, text.length() - 1));
      executedAt = log.size();
    }
    return executedSet;
  }

  /** Takes over what its master has committed, as far as its binlog is here. */
  void receive() {
    if (master != null) {
      received = Math.max(received, master.committed());
    }
  }

  /** Applies what was received. */
  void apply() {
    while (applied < received) {
      append(master.log.get(applied++));
    }
  }

  /** Follows another server, which has all that this one has. */
  void follow(ModelledServer other) {
    master = other;
    received = log.size();
    applied = log.size();
  }

  /** Whether it has a record's cell, an equal one, or the conflict that it became. */
  boolean decides(Accepted record) {
    if (!record.fits() && record.told) {
      return true;
    }
    var row = entity.get(record.cell().cell().key());
    return (row != null && row.cell().cell().body().sameAs(record.cell().cell().body()))
        || conflicts.containsKey(record.place());
  }

  /** Whether this server has executed something that another has not. */
  boolean isAstrayFrom(ModelledServer other) {
    return executed.entrySet().stream()
        .anyMatch(e -> e.getValue() > other.executed.getOrDefault(e.getKey(), 0));
  }

  /** Is made anew from another server, with a name of its own. */
  void cloneFrom(ModelledServer other, String newUuid) {
    uuid = newUuid;
    log.clear();
    log.addAll(other.log);
    executed = new HashMap<>(other.executed);
    executedAt = -1;
    positions.clear();
    positions.putAll(other.positions);
    entity.clear();
    entity.putAll(other.entity);
    rows.clear();
    other.rows.forEach((shard, some) -> rows.put(shard, new ArrayList<>(some)));
    buffer.clear();
    buffer.putAll(other.buffer);
    conflicts.clear();
    conflicts.putAll(other.conflicts);
    epochs.clear();
    epochs.putAll(other.epochs);
    copyId = other.copyId;
    up = true;
    lost = false;
    readOnly = true;
    follow(other);
  }

  void insert(Row row) {
    entity.put(row.cell().cell().key(), row);
    rows.computeIfAbsent(row.cell().shard(), shard -> new ArrayList<>()).add(row);
  }

  long nextCopyId() {
    return ++copyId;
  }

  void hold(HeldCopy held) {
    buffer.put(held.id(), held);
    copyId = Math.max(copyId, held.id());
  }

  void crash() {
    up = false;
    crashes++;
    hungUntil = 0;
    var open = List.copyOf(locks.values());
    locks.clear();
    open.forEach(lock -> lock.complete(null));
  }

  @Override
  public String toString() {
    return server.host();
  }
}
