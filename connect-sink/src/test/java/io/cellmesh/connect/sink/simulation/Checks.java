package io.cellmesh.connect.sink.simulation;

import io.cellmesh.connect.sink.simulation.ModelledServer.HeldCopy;
import io.cellmesh.connect.sink.simulation.ModelledServer.Row;
import io.cellmesh.storage.Copy;
import io.cellmesh.storage.EntityTransaction.Write;
import io.cellmesh.storage.IngestTopic;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** What must hold whenever something changes, and in the end (design.md's invariants). */
final class Checks {
  /** So long after a server was unwell tasks may still leave it alone. */
  private static final long SHY = TimeUnit.SECONDS.toNanos(15);

  private final World world;

  /** Secured records that not every server of their cluster has. */
  private final Set<Accepted> unsettled = new HashSet<>();

  /** When the masters of clusters were unwell last. */
  private final Map<String, Long> unwell = new HashMap<>();

  /** Whether a server is lost, or was taken out, and not everything stands twice again since. */
  private boolean lossPending;

  Checks(World world) {
    this.world = world;
  }

  /** A transaction was committed: order and completeness (invariants 2 and 4). */
  void written(ModelledServer server, String cluster, List<Write> writes, List<Row> fresh) {
    world.tell("written on " + server + ": " + (world.tells() ? describe(writes) : fresh.size()));
    for (var row : fresh) {
      checkOrder(server, row);
    }
    for (var write : writes) {
      for (var topic : IngestTopic.values()) {
        long from = write.expected().of(topic);
        long to = write.next().of(topic);
        if (to < from) {
          throw world.violated("the position of " + server + " goes back: " + write);
        }
        var log = world.kafka.log(topic, write.partition());
        for (long offset = from; offset < to; offset++) {
          var record = log.records.get((int) offset);
          if (isOf(record, cluster) && !decides(server, record)) {
            throw world.violated(
                "%s is at %d of %s without %s".formatted(server, to, log.at, record));
          }
        }
      }
    }
  }

  private static String describe(List<Write> writes) {
    var text = new StringBuilder();
    for (var write : writes) {
      text.append(
          "%d: cells %d to %d, mesh %d to %d; "
              .formatted(
                  write.partition(),
                  write.expected().cells().next(),
                  write.next().cells().next(),
                  write.expected().mesh().next(),
                  write.next().mesh().next()));
    }
    return text.toString();
  }

  private void checkOrder(ModelledServer server, Row fresh) {
    long before = -1;
    for (var row : server.rows.get(fresh.cell().shard())) {
      if (row == fresh) {
        break;
      }
      if (row.topic() == fresh.topic()) {
        before = row.cell().offset();
      }
    }
    if (before > fresh.cell().offset()) {
      throw world.violated(
          "order: %s has %d of %s/%d after %d in shard %d"
              .formatted(
                  server,
                  fresh.cell().offset(),
                  fresh.topic(),
                  fresh.partition(),
                  before,
                  fresh.cell().shard()));
    }
  }

  /** Offsets were committed: Kafka may forget what is below (invariant 5). */
  void committed(ModelledKafka.Log log, long from, long to) {
    for (long offset = from; offset < to; offset++) {
      var record = log.records.get((int) offset);
      if (record.cell() != null) {
        unsettled.add(record);
        check(record, "secured");
      } else if (!record.told) {
        throw world.violated("committed and not told: " + record);
      }
    }
  }

  /**
   * Copies are gone from a buffer: their primary has them, and a minion as well (invariant 5). One
   * that was lost or taken out since does not make it wrong.
   */
  void reaped(ModelledServer server, List<HeldCopy> copies) {
    for (var held : copies) {
      var copy = held.copy();
      if (world.tells()) {
        world.tell(
            "reaped on %s: %s %s/%d %d to %d"
                .formatted(
                    server,
                    copy.primary(),
                    copy.topic(),
                    copy.partition(),
                    copy.previous(),
                    copy.next()));
      }
      for (var cell : copy.cells()) {
        var record =
            world.kafka.log(copy.topic(), copy.partition()).records.get((int) cell.offset());
        long have =
            world.servers.values().stream()
                .filter(s -> s.cluster.equals(copy.primary()))
                .filter(s -> world.isListed(s) || s.lost || s.removed)
                .filter(s -> decides(s, record))
                .count();
        if (have < 2) {
          throw world.violated("reaped too early on %s: %s".formatted(server, record));
        }
      }
    }
  }

  /** Something happened to servers: looks at all that is secured. */
  void all() {
    for (var record : List.copyOf(unsettled)) {
      check(record, "kept");
    }
  }

  private void check(Accepted record, String what) {
    if (isSettled(record)) {
      unsettled.remove(record);
      return;
    }
    var holders = holders(record);
    if (holders.isEmpty()) {
      throw world.violated("not " + what + " anywhere: " + record);
    }
    if (holders.size() == 1 && !lossPending && !isExcused(record, holders.get(0))) {
      throw world.violated(
          "not %s without %s: %s".formatted(what, holders.get(0).server.host(), record));
    }
  }

  private boolean isSettled(Accepted record) {
    var servers = world.topology.cluster(record.cell().cluster()).servers();
    return servers.size() > 1 && servers.stream().allMatch(s -> decides(world.server(s), record));
  }

  private List<ModelledServer> holders(Accepted record) {
    var holders = new ArrayList<ModelledServer>();
    for (var server : world.listed()) {
      if (holds(server, record)) {
        holders.add(server);
      }
    }
    return holders;
  }

  private static boolean holds(ModelledServer server, Accepted record) {
    return (server.cluster.equals(record.cell().cluster()) && decides(server, record))
        || server.buffer.values().stream().anyMatch(held -> has(held.copy(), record));
  }

  private static boolean has(Copy copy, Accepted record) {
    return copy.primary().equals(record.cell().cluster())
        && copy.partition() == record.partition()
        && copy.topic() == record.log().topic
        && copy.cells().stream().anyMatch(cell -> cell.offset() == record.offset());
  }

  /** Whether a server has the cell, an equal one, or the conflict that it became. */
  private static boolean decides(ModelledServer server, Accepted record) {
    var row = server.entity.get(record.cell().cell().key());
    return (row != null && row.cell().cell().body().sameAs(record.cell().cell().body()))
        || server.conflicts.containsKey(record.place());
  }

  private static boolean isOf(Accepted record, String cluster) {
    return record.cell() != null && record.cell().cluster().equals(cluster);
  }

  /** A single copy is all there can be while no other secondary takes one. */
  private boolean isExcused(Accepted record, ModelledServer holder) {
    for (var cluster : world.topology.clusters()) {
      boolean other =
          !cluster.name().equals(record.cell().cluster()) && !cluster.name().equals(holder.cluster);
      if (other && unwell.getOrDefault(cluster.name(), Long.MIN_VALUE) < record.acceptedAt) {
        return false;
      }
    }
    return true;
  }

  /** A server is unwell until a time. */
  void unwell(ModelledServer server, long until) {
    unwell.merge(server.cluster, until + SHY, Math::max);
  }

  /** A server is gone for good. */
  void lost() {
    lossPending = true;
  }

  /** Whether one more server may be lost: all that was lost before is made up for. */
  boolean canLose(ModelledServer next) {
    if (lossPending) {
      boolean twice =
          world.topology.clusters().stream().noneMatch(c -> c.minions().isEmpty())
              && world.topology.clusters().stream()
                  .flatMap(c -> c.servers().stream())
                  .noneMatch(s -> world.server(s).lost)
              && unsettled.stream()
                  .allMatch(record -> isSettled(record) || holders(record).size() > 1);
      if (!twice) {
        return false;
      }
      lossPending = false;
    }
    for (var record : unsettled) {
      if (!isSettled(record) && holders(record).stream().allMatch(h -> h == next)) {
        return false;
      }
    }
    return true;
  }

  /** A rejection was told (invariant 11). */
  void told(Accepted record) {
    world.tell("told " + record);
    record.told = true;
    if (record.cell() != null) {
      var master = world.master(record.cell().cluster());
      var row = master.entity.get(record.cell().cell().key());
      if (!master.conflicts.containsKey(record.place())) {
        throw world.violated("told and not decided: " + record);
      }
      if (row == null || row.cell().cell().body().sameAs(record.cell().cell().body())) {
        throw world.violated("told and stored: " + record);
      }
    }
  }

  /** What is still to be done, in words; empty if all is as it must be in the end. */
  String unfinished() {
    for (var log : world.kafka.logs()) {
      // Where a task asked for records that are forgotten, it commits that place until new ones
      // come.
      if (log.committed < log.end() && log.start < log.end()) {
        return "%s is committed up to %d of %d".formatted(log.at, log.committed, log.end());
      }
      for (var record : log.records) {
        var left = unfinished(record);
        if (!left.isEmpty()) {
          return left;
        }
      }
    }
    for (var cluster : world.topology.clusters()) {
      var master = world.server(cluster.master());
      if (!master.buffer.isEmpty()) {
        return master + " still holds copies";
      }
      for (var minion : cluster.minions()) {
        if (!world.server(minion).rows.equals(master.rows)
            || !world.server(minion).positions.equals(master.positions)) {
          return minion.host() + " is not as its master";
        }
      }
    }
    return "";
  }

  private String unfinished(Accepted record) {
    if (record.cell() == null) {
      return record.told ? "" : "not told: " + record;
    }
    var master = world.master(record.cell().cluster());
    if (!decides(master, record)) {
      return master + " lacks " + record;
    }
    boolean conflict = master.conflicts.containsKey(record.place());
    if (record.told != conflict) {
      return (conflict ? "not told: " : "told and stored: ") + record;
    }
    return "";
  }

  /** The order of the tables, once all is done. */
  void order() {
    for (var cluster : world.topology.clusters()) {
      var master = world.server(cluster.master());
      master.rows.forEach(
          (shard, rows) -> {
            for (var topic : IngestTopic.values()) {
              long before = -1;
              for (var row : rows) {
                if (row.topic() == topic) {
                  if (row.cell().offset() < before) {
                    throw world.violated("order of shard " + shard + " of " + master);
                  }
                  before = row.cell().offset();
                }
              }
            }
          });
    }
  }
}
