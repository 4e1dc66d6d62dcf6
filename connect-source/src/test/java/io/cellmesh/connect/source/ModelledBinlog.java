package io.cellmesh.connect.source;

import io.cellmesh.cell.GtidSet;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.connect.source.ServerState.Answer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A modelled MySQL server: its binlog, how much of that it has purged, and its role. */
final class ModelledBinlog {
  final Server server;
  private String uuid;
  private final List<Transaction> log = new ArrayList<>();
  private final Map<String, Integer> executed = new TreeMap<>();
  private final Map<Integer, GtidSet> sets = new HashMap<>();

  /** So many transactions at the beginning of the log are no longer in a binlog. */
  int purged;

  boolean up = true;
  boolean writable;

  /** Whom it follows; null if it is no replica. */
  ModelledBinlog master;

  /** Whether its replication has stopped, though it follows. */
  boolean stopped;

  ModelledBinlog(Server server, String uuid) {
    this.server = server;
    this.uuid = uuid;
  }

  /**
   * A row of an entity table.
   *
   * @param cell its number among all cells of the shard, in the order in which they were sent
   */
  record Row(int shard, long addedId, int cell) {}

  /** Some rows, or none: the sink's other tables change more often. */
  record Transaction(String gtid, GtidSet set, List<Row> rows) {}

  List<Transaction> log() {
    return log;
  }

  void commit(List<Row> rows) {
    var gtid = uuid + ":" + (executed.getOrDefault(uuid, 0) + 1);
    append(new Transaction(gtid, GtidSet.parse(gtid), rows));
  }

  private void append(Transaction transaction) {
    log.add(transaction);
    var parts = transaction.gtid().split(":");
    executed.put(parts[0], Integer.parseInt(parts[1]));
  }

  /** Takes over some of what its master has and it has not. */
  void follow(int most) {
    for (int i = 0; i < most && log.size() < master.log.size(); i++) {
      append(master.log.get(log.size()));
    }
  }

  /** Is made anew from another server. */
  void remake(ModelledBinlog from, String newUuid) {
    uuid = newUuid;
    var had = List.copyOf(from.log);
    log.clear();
    executed.clear();
    sets.clear();
    had.forEach(this::append);
    // Its binlogs are copied, too.
    purged = from.purged;
    writable = false;
    up = true;
    master = from;
    stopped = false;
  }

  GtidSet executed() {
    return set(log.size());
  }

  /** The transactions of the first part of the log. */
  private GtidSet set(int count) {
    return sets.computeIfAbsent(count, this::compute);
  }

  private GtidSet compute(int count) {
    var last = new TreeMap<String, String>();
    for (var transaction : log.subList(0, count)) {
      var parts = transaction.gtid().split(":");
      last.put(parts[0], parts[1]);
    }
    var text = new StringBuilder();
    last.forEach((of, number) -> text.append(of).append(":1-").append(number).append(','));
    return text.isEmpty() ? GtidSet.EMPTY : GtidSet.parse(text.substring(0, text.length() - 1));
  }

  boolean replicates() {
    return master != null && !stopped;
  }

  /** What a monitor sees. */
  ServerState state(boolean listedMaster) {
    return up
        ? ServerState.answered(
            server,
            listedMaster,
            0,
            new Answer(master != null, replicates(), writable, executed(), set(purged)))
        : ServerState.silent(server, listedMaster, 0, "down", false);
  }

  @Override
  public String toString() {
    return server.host();
  }
}
