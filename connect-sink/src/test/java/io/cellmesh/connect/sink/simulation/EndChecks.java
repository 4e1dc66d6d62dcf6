package io.cellmesh.connect.sink.simulation;

import io.cellmesh.storage.IngestTopic;

/** What must hold in the end, when nothing is wrong any more (design.md's invariants). */
final class EndChecks {
  private final World world;

  EndChecks(World world) {
    this.world = world;
  }

  /** What is still to be done, in words; empty if all is as it must be in the end. */
  String unfinished() {
    for (var log : world.kafka.logs()) {
      // A place that was asked for, and forgotten meanwhile, stays committed until records come.
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
    if (record.cell() == null || !record.fits()) {
      return record.told ? "" : "not told: " + record;
    }
    var master = world.master(record.cell().cluster());
    if (!master.decides(record)) {
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
