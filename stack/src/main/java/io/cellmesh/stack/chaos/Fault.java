package io.cellmesh.stack.chaos;

import io.cellmesh.devstack.Child;
import io.cellmesh.devstack.DevStackException;
import io.cellmesh.devstack.MySqlCluster;
import io.cellmesh.devstack.MySqlServer;
import io.cellmesh.devstack.NetworkPath;
import io.cellmesh.devstack.NetworkPath.Direction;
import io.cellmesh.operations.OperationListener;
import io.cellmesh.stack.chaos.Schedule.Planned;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * One fault, its victim found.
 *
 * @param site where
 * @param victim for the report
 * @param claims what no other fault may have a part in at the same time
 * @param blow begins it
 * @param mend ends it, as whoever is paged would
 * @param after what remains to be done when cells flow again
 */
record Fault(
    Planned planned,
    Site site,
    String victim,
    Set<String> claims,
    Action blow,
    Action mend,
    Action after) {
  private static final Action NOTHING = () -> {};

  /** What a slow network does to each piece, and to each connection. */
  private static final Duration EACH = Duration.ofMillis(20);

  private static final int BYTES_PER_SECOND = 500_000;

  /** How far a clock is off. */
  private static final Duration APART = Duration.ofMinutes(7);

  /** By then whoever can't write has ended, if it does. */
  private static final Duration GIVING_UP = Duration.ofSeconds(2);

  /** Of all data centres together: one server at a time is lost for good. */
  private static final String PROMOTION = "a promotion";

  /** A step of a fault. */
  @FunctionalInterface
  interface Action {
    void run() throws Exception;
  }

  /**
   * Finds the victim of a planned fault, by the roles that servers have now.
   *
   * @param patience for how long a person's command that fails is given again
   */
  static Fault of(Planned planned, List<Site> sites, Duration patience) {
    var site = sites.get(planned.victim() % sites.size());
    return new Finder(planned, sites, site, planned.victim() / sites.size(), patience).find();
  }

  FaultKind kind() {
    return planned.kind();
  }

  /** Whether something is to be done when cells flow again. */
  boolean leavesWork() {
    return after != NOTHING;
  }

  /** Whether both may be under way at the same time. */
  boolean goesWith(Fault other) {
    return Collections.disjoint(claims, other.claims);
  }

  /** Finds a victim in one data centre. */
  private record Finder(
      Planned planned, List<Site> sites, Site site, int number, Duration patience) {
    Fault find() {
      var victims = site.victims();
      var clusters = victims.clusters();
      var cluster = clusters.get(number % clusters.size());
      var master = cluster.master();
      var minion = cluster.minions().get(number % cluster.minions().size());
      var worker = victims.workers().get(number % victims.workers().size());
      var broker = victims.brokers().get(number % victims.brokers().size());
      return switch (planned.kind()) {
        case MASTER_KILL -> simple(master, master::kill, () -> Victims.open(master));
        case MASTER_STOP -> simple(master, master::pause, master::resume);
        case MASTER_RESTART -> simple(master, master::stop, () -> Victims.open(master));
        case MASTER_LOST ->
            promoting(
                cluster,
                cluster.name() + "'s " + master.name(),
                () -> {
                  site.losesMaster(cluster.name());
                  master.kill();
                },
                () -> victims.promote(cluster.name(), minion, patience, OperationListener.silent()),
                () -> {
                  site.isWhole(cluster.name());
                  victims.addMinion(cluster.name(), OperationListener.silent());
                });
        case HAND_OVER ->
            promoting(
                cluster,
                cluster.name() + " from " + master.name(),
                NOTHING,
                () -> victims.promote(cluster.name(), minion, patience, OperationListener.silent()),
                NOTHING);
        case MINION_KILL -> simple(minion, minion::kill, () -> back(minion));
        case MINION_STOP -> simple(minion, minion::pause, minion::resume);
        // Whoever takes over does so while it is gone.
        case WORKER_KILL -> worker(worker, worker::kill, NOTHING, () -> back(worker));
        case WORKER_STOP -> worker(worker, worker::pause, worker::resume, NOTHING);
        case WORKER_RESTART -> worker(worker, worker::stop, () -> back(worker), NOTHING);
        case BROKER_STOP -> broker(broker, broker::pause, broker::resume);
        case BROKER_KILL -> broker(broker, broker::kill, () -> back(broker));
        case BROKER_RESTART -> broker(broker, broker::stop, () -> back(broker));
        case MASTER_FULL ->
            simple(master, () -> fill(master), () -> makeRoom(master, () -> Victims.open(master)));
        case MINION_FULL ->
            simple(minion, () -> fill(minion), () -> makeRoom(minion, () -> back(minion)));
        case BROKER_FULL ->
            broker(broker, () -> fill(broker), () -> makeRoom(broker, () -> back(broker)));
        case MINION_RESTORED -> minionRestored(cluster, minion);
        case MASTER_RESTORED -> masterRestored(cluster, master, minion);
        case CLOCK -> clock(victims.withClock(number));
        case PULSE -> pulse(victims.any(number));
        case CUT -> {
          var server = number / clusters.size() % 2 == 0 ? master : minion;
          yield simple(server, () -> cut(server), NOTHING);
        }
        case ONE_WAY -> {
          var server = number / clusters.size() % 2 == 0 ? master : minion;
          var direction = Direction.values()[planned.victim() / 7 % 2];
          yield network(server, path -> path.hold(direction));
        }
        case SLOW_PATH -> network(master, path -> path.slow(EACH, BYTES_PER_SECOND));
        case BROKER_CUT -> broker(broker, () -> path(broker.port()).reset(), NOTHING);
        case BROKER_ONE_WAY -> {
          var direction = Direction.values()[planned.victim() / 7 % 2];
          var path = path(broker.port());
          yield broker(broker, () -> path.hold(direction), path::free);
        }
        case BROKER_SLOW -> {
          var path = path(broker.port());
          yield broker(broker, () -> path.slow(EACH, BYTES_PER_SECOND), path::free);
        }
        case DISK -> simple(master, () -> FileLimit.freeze(master), () -> thaw(master));
        case NODE_KILL -> application(victims.node(), Child::kill, victims::startNode);
        case NODE_STOP -> paused(victims.node());
        case NODE_RESTART -> application(victims.node(), Child::stop, victims::startNode);
        case INDEX_KILL -> started(victims.indexStreams(), Child::kill);
        case INDEX_STOP -> paused(victims.indexStreams());
        case INDEX_RESTART -> started(victims.indexStreams(), Child::stop);
        case TRIGGER_KILL -> application(victims.trigger(), Child::kill, this::startTrigger);
        case TRIGGER_STOP -> paused(victims.trigger());
        case TRIGGER_RESTART -> application(victims.trigger(), Child::stop, this::startTrigger);
        case HERB_KILL -> started(victims.herbReplicator(), Child::kill);
        case HERB_STOP -> paused(victims.herbReplicator());
        case HERB_RESTART -> started(victims.herbReplicator(), Child::stop);
        case DC_KILL -> whole(Child::kill);
        case DC_STOP -> whole(Child::pause);
        case DC_CUT ->
            dataCenter(() -> links().forEach(Fault::cut), () -> links().forEach(NetworkPath::free));
      };
    }

    private void startTrigger() throws InterruptedException {
      site.readers().orElseThrow().trigger().startAgain();
    }

    private Fault simple(Child victim, Action blow, Action mend) {
      return fault(victim.name(), Set.of(victim.name()), blow, mend, NOTHING);
    }

    /** One of those of which others must live goes with none of them. */
    private Fault pulse(Child victim) {
      var pulses = new Pulses(victim, planned.victim());
      return site.victims().workers().contains(victim)
          ? worker(victim, pulses::begin, pulses::end, NOTHING)
          : simple(victim, pulses::begin, pulses::end);
    }

    private Fault network(MySqlServer server, Consumer<NetworkPath> blow) {
      var path = path(server.port());
      return simple(server, () -> blow.accept(path), path::free);
    }

    /** Of several one may be missing. */
    private Fault broker(Child broker, Action blow, Action mend) {
      return fault(broker.name(), Set.of("brokers of " + site.name()), blow, mend, NOTHING);
    }

    private void fill(Child victim) throws IOException {
      site.victims().disk(victim).fill();
    }

    /** Whoever gave up for want of room is started again; one that has just begun to, too. */
    private void makeRoom(Child victim, Action start) throws Exception {
      site.victims().disk(victim).free();
      Thread.sleep(GIVING_UP.toMillis());
      if (!victim.isAlive()) {
        start.run();
      }
    }

    /** It catches up by itself, unless it was master once: then it is made anew. */
    private Fault minionRestored(MySqlCluster cluster, MySqlServer minion) {
      var backups = new AtomicReference<OldBackup>();
      return fault(
          minion.name(),
          names(cluster),
          () -> backups.set(OldBackup.take(minion, site.victims().backup(minion))),
          () -> backups.get().putBack(),
          NOTHING);
    }

    private Fault masterRestored(MySqlCluster cluster, MySqlServer master, MySqlServer minion) {
      var victims = site.victims();
      var backups = new AtomicReference<OldBackup>();
      return promoting(
          cluster,
          cluster.name() + "'s " + master.name(),
          () -> {
            backups.set(OldBackup.take(master, victims.backup(master)));
            master.openMaster();
          },
          () -> {
            site.losesMaster(cluster.name());
            backups.get().putBack();
            victims.refuse(cluster.name(), master);
            victims.promote(cluster.name(), minion, patience, OperationListener.silent());
          },
          () -> {
            master.stop();
            site.isWhole(cluster.name());
            victims.addMinion(cluster.name(), OperationListener.silent());
          });
    }

    private Fault clock(MySqlServer server) {
      var ahead = planned.victim() / 7 % 2 == 0 ? APART : APART.negated();
      return simple(server, () -> restart(server, ahead), () -> restart(server, Duration.ZERO));
    }

    private void restart(MySqlServer server, Duration ahead) {
      boolean master =
          site.victims().clusters().stream().anyMatch(cluster -> cluster.master().equals(server));
      server.setClock(ahead);
      server.restart();
      if (master) {
        server.openMaster();
      }
    }

    private Fault paused(Child victim) {
      return simple(victim, victim::pause, victim::resume);
    }

    private Fault started(Child victim, Consumer<Child> blow) {
      return application(victim, blow, victim::start);
    }

    private Fault application(Child victim, Consumer<Child> blow, Action mend) {
      return simple(victim, () -> blow.accept(victim), mend);
    }

    /** Nobody could take over if all were gone. */
    private Fault worker(Child worker, Action blow, Action mend, Action after) {
      return fault(worker.name(), Set.of("workers of " + site.name()), blow, mend, after);
    }

    /** What its producers had sent is delivered after its return. */
    private Fault whole(Consumer<Child> blow) {
      var victims = site.victims();
      return dataCenter(
          () -> {
            site.pauseProducers();
            victims.all().forEach(blow);
          },
          () -> {
            victims.heal();
            site.resumeProducers();
          });
    }

    /** Nothing else there may be under way. */
    private Fault dataCenter(Action blow, Action mend) {
      var claims = new HashSet<>(Set.of("brokers of " + site.name(), "workers of " + site.name()));
      site.victims().all().forEach(child -> claims.add(child.name()));
      return fault(site.name(), claims, blow, mend, NOTHING);
    }

    /** The network between this data centre and each other one, in both directions. */
    private List<NetworkPath> links() {
      var links = new ArrayList<NetworkPath>();
      for (var peer : sites) {
        if (peer != site) {
          links.addAll(site.victims().pathsFrom(peer.name()));
          links.addAll(peer.victims().pathsFrom(site.name()));
        }
      }
      return links;
    }

    private Fault promoting(
        MySqlCluster cluster, String victim, Action blow, Action mend, Action after) {
      var claims = names(cluster);
      claims.add(PROMOTION);
      return fault(victim, claims, blow, mend, after);
    }

    private static Set<String> names(MySqlCluster cluster) {
      var names = new HashSet<String>();
      cluster.servers().forEach(server -> names.add(server.name()));
      return names;
    }

    private Fault fault(String victim, Set<String> claims, Action blow, Action mend, Action after) {
      return new Fault(planned, site, victim, Set.copyOf(claims), blow, mend, after);
    }
  }

  private static void cut(NetworkPath path) {
    path.hold(Direction.TO_SERVER);
    path.hold(Direction.FROM_SERVER);
  }

  private static NetworkPath path(int port) {
    return NetworkPath.before(port).orElseThrow();
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
  private static void thaw(MySqlServer master) {
    master.kill();
    Victims.open(master);
    FileLimit.drop(master);
  }
}
