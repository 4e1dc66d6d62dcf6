package io.cellmesh.cli.chaos;

import io.cellmesh.cli.chaos.Schedule.Planned;
import io.cellmesh.cli.terminal.Steps;
import io.cellmesh.devstack.Child;
import io.cellmesh.devstack.DevStackException;
import io.cellmesh.devstack.MySqlServer;

/**
 * One fault, its victim found.
 *
 * @param victim for the report
 * @param blow begins it
 * @param mend ends it, as whoever is paged would
 * @param after what remains to be done when cells flow again
 */
record Fault(String victim, Work blow, Work mend, Work after) {
  private static final Work NOTHING = () -> {};

  /** A step of a fault. */
  @FunctionalInterface
  interface Work {
    void run() throws Exception;
  }

  /** Finds the victim of a planned fault, by the roles that servers have now. */
  static Fault of(Planned planned, Victims victims, Steps steps) {
    var clusters = victims.clusters();
    var cluster = clusters.get(planned.victim() % clusters.size());
    var master = cluster.master();
    var minion = cluster.minions().get(planned.victim() % cluster.minions().size());
    var worker = victims.workers().get(planned.victim() % victims.workers().size());
    var broker = victims.broker();
    return switch (planned.kind()) {
      case MASTER_KILL -> simple(master, master::kill, () -> Victims.open(master));
      case MASTER_STOP -> simple(master, master::pause, master::resume);
      case MASTER_RESTART -> simple(master, master::stop, () -> Victims.open(master));
      case MASTER_LOST ->
          new Fault(
              cluster.name() + "'s " + master.name(),
              master::kill,
              () -> victims.promote(cluster.name(), minion, steps),
              () -> victims.addMinion(cluster.name(), steps));
      case HAND_OVER ->
          new Fault(
              cluster.name() + " from " + master.name(),
              NOTHING,
              () -> victims.promote(cluster.name(), minion, steps),
              NOTHING);
      case MINION_KILL -> simple(minion, minion::kill, () -> back(minion));
      case MINION_STOP -> simple(minion, minion::pause, minion::resume);
      // Whoever takes over does so while it is gone.
      case WORKER_KILL -> new Fault(worker.name(), worker::kill, NOTHING, () -> back(worker));
      case WORKER_STOP -> simple(worker, worker::pause, worker::resume);
      case WORKER_RESTART -> simple(worker, worker::stop, () -> back(worker));
      case BROKER_STOP -> simple(broker, broker::pause, broker::resume);
      case BROKER_KILL -> simple(broker, broker::kill, () -> back(broker));
      case BROKER_RESTART -> simple(broker, broker::stop, () -> back(broker));
      case CUT -> {
        var server = planned.victim() / clusters.size() % 2 == 0 ? master : minion;
        yield simple(server, () -> cut(server), NOTHING);
      }
      case DISK -> simple(master, () -> FileLimit.freeze(master), () -> makeRoom(master));
    };
  }

  private static Fault simple(Child victim, Work blow, Work mend) {
    return new Fault(victim.name(), blow, mend, NOTHING);
  }

  private static void back(Child child) {
    child.start();
    child.awaitReady();
  }

  /** Of clients, of replication in both directions, and of whoever reads the binlog. */
  private static void cut(MySqlServer server) {
    var kills =
        server.query(
            "SELECT /*+ SET_VAR(group_concat_max_len = 100000) */ COALESCE(GROUP_CONCAT('KILL ', id SEPARATOR ';'), '') FROM information_schema.processlist WHERE user NOT IN ('system user', 'event_scheduler') AND id <> CONNECTION_ID()");
    for (var kill : kills.isEmpty() ? new String[0] : kills.split(";")) {
      try {
        server.execute(kill);
      } catch (DevStackException e) {
        // That one has gone by itself meanwhile.
      }
    }
  }

  /** A server that gives up for want of room is started again when there is some. */
  private static void makeRoom(MySqlServer master) {
    master.kill();
    Victims.open(master);
    FileLimit.drop(master);
  }
}
