package io.cellmesh.connect.sink.simulation;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
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

/** What must hold whenever something changes (design.md's invariants). */
final class Checks {
  /** So long after a server was unwell tasks may still leave it alone. */
  private static final long SHY = TimeUnit.SECONDS.toNanos(15);

  /** Within so long a single copy becomes two where there is a place for the second. */
  static final long DOUBLED = TimeUnit.SECONDS.toNanos(8);

  private final World world;
  private final CopyProof proof;

  /** Secured records that not every server of their cluster has. */
  private final Set<Accepted> unsettled = new HashSet<>();

  /** When the masters of clusters were unwell last. */
  private final Map<String, Long> unwell = new HashMap<>();

  /** Whether a server is lost, or was taken out, and not everything stands twice again since. */
  private boolean lossPending;

  /** Whether servers were lost without a thought of what they alone had: Kafka has it. */
  private boolean careless;

  Checks(World world) {
    this.world = world;
    this.proof = new CopyProof(world);
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
          if (isOf(record, cluster) && !server.decides(record)) {
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

  private static String words(String what, ModelledServer server, Copy copy) {
    return "%s %s: %s %s/%d %d to %d"
        .formatted(
            what,
            server,
            copy.primary(),
            copy.topic(),
            copy.partition(),
            copy.previous(),
            copy.next());
  }

  /** A copy was written: it has all cells of its primary that it claims to have (invariant 2). */
  void copied(ModelledServer server, Copy copy) {
    if (world.tells()) {
      world.tell(words("copied to", server, copy));
    }
    var log = world.kafka.log(copy.topic(), copy.partition());
    var has = new HashSet<Long>();
    copy.cells().forEach(cell -> has.add(cell.offset()));
    for (long offset = copy.previous(); offset < copy.next(); offset++) {
      var record = log.records.get((int) offset);
      if (isOf(record, copy.primary()) && !has.contains(offset)) {
        throw world.violated(
            "a copy on %s claims to have %d to %d of %s without %s"
                .formatted(server, copy.previous(), copy.next(), log.at, record));
      }
    }
  }

  /**
   * Offsets were committed: Kafka may forget what is below (invariant 5), and a later owner must be
   * able to prove from the buffers that nothing is missing (invariant 2).
   */
  void committed(ModelledKafka.Log log, long from, long to) {
    if (!careless && !lossPending) {
      checkProof(log, from);
    }
    for (long offset = from; offset < to; offset++) {
      var record = log.records.get((int) offset);
      if (record.cell() != null) {
        unsettled.add(record);
        record.singleSince = world.time.nanoTime();
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
        world.tell(words("reaped on", server, copy));
      }
      for (var cell : copy.cells()) {
        if (careless) {
          break;
        }
        var record =
            world.kafka.log(copy.topic(), copy.partition()).records.get((int) cell.offset());
        long have =
            world.servers.values().stream()
                .filter(s -> s.cluster.equals(copy.primary()))
                .filter(s -> world.isListed(s) || s.lost || s.removed)
                .filter(s -> s.decides(record))
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

  private void checkProof(ModelledKafka.Log log, long from) {
    for (var cluster : world.topology.clusters()) {
      for (var without : world.listed()) {
        if (!proof.holds(cluster, log, from, without) && couldStandTwice(cluster, without)) {
          throw world.violated(
              "not provable without %s: %s of %s up to %d"
                  .formatted(without, log.at, cluster.name(), log.committed));
        }
      }
    }
  }

  /** Whether copies of a primary could stand on another secondary than that of a server. */
  private boolean couldStandTwice(StorageCluster primary, ModelledServer holder) {
    return holder.cluster.equals(primary.name())
        || world.topology.clusters().stream()
            .filter(cluster -> !cluster.name().equals(primary.name()))
            .filter(cluster -> !cluster.name().equals(holder.cluster))
            .filter(cluster -> isWell(world.server(cluster.master())))
            .anyMatch(
                cluster ->
                    unwell.getOrDefault(cluster.name(), Long.MIN_VALUE) < world.time.nanoTime());
  }

  /** What stands in one copy alone gets a second one when there is a place for it. */
  void singles() {
    if (lossPending || careless) {
      return;
    }
    long now = world.time.nanoTime();
    for (var record : unsettled) {
      var holders = holders(record);
      if (!isSingle(record, holders) || !canStandTwice(record, holders.get(0))) {
        record.singleSince = now;
      } else if (now - record.singleSince > DOUBLED) {
        throw world.violated("stands on %s alone: %s".formatted(holders.get(0), record));
      }
    }
  }

  /** Whether one secondary alone has a record, be it with its minions. */
  private static boolean isSingle(Accepted record, List<ModelledServer> holders) {
    return !holders.isEmpty()
        && holders.stream().map(holder -> holder.cluster).distinct().count() == 1
        && !holders.get(0).cluster.equals(record.cell().cluster());
  }

  /** Masters that can't be written and whose cells stand in one copy alone. */
  Set<ModelledServer> primariesOfSingles() {
    var primaries = new HashSet<ModelledServer>();
    if (!lossPending && !careless) {
      for (var record : unsettled) {
        var master = world.master(record.cell().cluster());
        if (!isWell(master) && isSingle(record, holders(record))) {
          primaries.add(master);
        }
      }
    }
    return primaries;
  }

  /** Whether another secondary would take a copy, and the task that sent the first one goes on. */
  private boolean canStandTwice(Accepted record, ModelledServer holder) {
    return world.group.ownedSince(record.partition()) < record.acceptedAt
        && world.topology.clusters().stream()
            .filter(cluster -> !cluster.name().equals(record.cell().cluster()))
            .filter(cluster -> !cluster.name().equals(holder.cluster))
            .anyMatch(cluster -> isWell(world.server(cluster.master())));
  }

  private boolean isWell(ModelledServer server) {
    long now = world.time.nanoTime();
    return server.up
        && !server.readOnly
        && server.hungUntil <= now
        && server.slowUntil <= now
        && server.deafUntil <= now;
  }

  private void check(Accepted record, String what) {
    if (careless) {
      return;
    }
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
    return servers.size() > 1 && servers.stream().allMatch(s -> world.server(s).decides(record));
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
    return (server.cluster.equals(record.cell().cluster()) && server.decides(record))
        || server.buffer.values().stream().anyMatch(held -> has(held.copy(), record));
  }

  private static boolean has(Copy copy, Accepted record) {
    return copy.primary().equals(record.cell().cluster())
        && copy.partition() == record.partition()
        && copy.topic() == record.log().topic
        && copy.cells().stream().anyMatch(cell -> cell.offset() == record.offset());
  }

  private static boolean isOf(Accepted record, String cluster) {
    return record.cell() != null && record.cell().cluster().equals(cluster);
  }

  /** A single copy is all there can be while no other secondary takes one. A row is not one. */
  private boolean isExcused(Accepted record, ModelledServer holder) {
    if (holder.cluster.equals(record.cell().cluster())) {
      return false;
    }
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

  /**
   * Whether one more server may be lost: all that was lost before is made up for, or Kafka still
   * has everything.
   */
  boolean canLose(ModelledServer next) {
    if (world.keeps) {
      careless = true;
      return true;
    }
    if (lossPending) {
      boolean twice =
          world.topology.clusters().stream().noneMatch(c -> c.minions().isEmpty())
              && world.topology.clusters().stream()
                  .flatMap(c -> c.servers().stream())
                  .noneMatch(s -> world.server(s).lost)
              && unsettled.stream()
                  .allMatch(record -> isSettled(record) || holders(record).size() > 1)
              && world.listed().stream().allMatch(proof::holds);
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
    return proof.holds(next);
  }

  /** A rejection was told (invariant 11). */
  void told(Accepted record, Topology map) {
    world.tell("told " + record);
    record.told = true;
    if (record.cell() != null && record.fits()) {
      for (var minion : map.cluster(record.cell().cluster()).minions()) {
        if (!world.server(minion).conflicts.containsKey(record.place())) {
          throw world.violated("told and not everywhere: " + record);
        }
      }
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
}
