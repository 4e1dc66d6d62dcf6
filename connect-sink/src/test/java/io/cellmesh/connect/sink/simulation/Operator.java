package io.cellmesh.connect.sink.simulation;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Whoever runs the instance: opens masters that came back, promotes minions as {@code Promotion}
 * does, stage by stage, and adds and removes minions.
 */
final class Operator {
  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
  private static final int ATTEMPTS = 40;

  private final World world;
  private final VirtualTime time;
  private final Set<String> busy = new HashSet<>();
  private int servers = 100;

  Operator(World world) {
    this.world = world;
    this.time = world.time;
  }

  boolean isBusy() {
    return !busy.isEmpty();
  }

  /** Has those follow their master that missed a promotion. */
  void rejoin() {
    for (var server : world.listed()) {
      var master = world.master(server.cluster);
      if (server != master && server.master != master && answers(server) && busy.isEmpty()) {
        rejoin(server, master);
      }
    }
  }

  /** Opens or mends a server that has come back. */
  void returned(ModelledServer server) {
    if (!world.isListed(server)) {
      return;
    }
    var master = world.master(server.cluster);
    if (server == master) {
      time.later(
          (50 + world.random.nextInt(1000)) * MILLI,
          () -> {
            boolean open =
                server.up && world.isListed(server) && world.master(server.cluster) == server;
            if (open && !busy.contains(server.cluster)) {
              world.tell(server + " is opened");
              // Whoever opens it looks at the epoch, which rose if a minion was removed meanwhile.
              int epoch = world.topology.cluster(server.cluster).epoch();
              if (server.epochs.get(server.cluster) < epoch) {
                server.commit(s -> s.epochs.merge(s.cluster, epoch, Math::max));
              }
              server.readOnly = false;
            }
          });
    } else if (server.master != master) {
      rejoin(server, master);
    } else {
      world.replicate(master);
    }
  }

  private void rejoin(ModelledServer server, ModelledServer master) {
    if (server.isAstrayFrom(master)) {
      world.tell(server + " is made anew");
      server.cloneFrom(master, world.newUuid());
    } else {
      follow(server, master);
    }
  }

  /** What one has is the beginning of what the other has. */
  private void follow(ModelledServer server, ModelledServer master) {
    server.follow(master);
    world.replicate(master);
  }

  /** A server is gone for good; others take its place. */
  void replace(ModelledServer lost) {
    pause(3000);
    if (!world.isListed(lost)) {
      return;
    }
    if (world.master(lost.cluster) == lost) {
      promote(lost.cluster);
    } else {
      removeMinion(lost.cluster, lost);
    }
    pause(5000);
    addMinion(lost.cluster);
  }

  private void pause(int millis) {
    time.sleep((1 + world.random.nextInt(millis)) * MILLI);
  }

  private boolean acquire(String cluster) {
    for (int i = 0; i < ATTEMPTS; i++) {
      // One change of the topology at a time, as the lock of a promotion has it.
      if (busy.isEmpty()) {
        busy.add(cluster);
        return true;
      }
      pause(2000);
    }
    return false;
  }

  /** Promotes the minion that has most. */
  void promote(String name) {
    if (!acquire(name)) {
      return;
    }
    try {
      for (int i = 0; i < ATTEMPTS && !tryPromote(world.topology.cluster(name)); i++) {
        pause(1000);
      }
    } finally {
      busy.remove(name);
    }
    var master = world.master(name);
    if (master.up && master.readOnly) {
      returned(master);
    }
  }

  private boolean answers(ModelledServer server) {
    return server.up && server.hungUntil <= time.nanoTime();
  }

  private boolean tryPromote(StorageCluster cluster) {
    var old = world.server(cluster.master());
    boolean answered = answers(old);
    if (answered) {
      old.readOnly = true;
      world.tell("FENCE " + old);
      while (!old.locks.isEmpty() && answers(old)) {
        time.await(old.locks.values().iterator().next(), 1000 * MILLI);
      }
      pause(200);
    }
    var minions = cluster.minions().stream().map(world::server).toList();
    if (minions.isEmpty() || !minions.stream().allMatch(m -> answers(m) || m.lost)) {
      // Nobody may have more than the candidate.
      return false;
    }
    var alive = minions.stream().filter(this::answers).toList();
    if (alive.isEmpty()) {
      return false;
    }
    if (answered && answers(old)) {
      alive.forEach(ModelledServer::receive);
    }
    var candidate = alive.stream().max(Comparator.comparingInt(m -> m.received)).orElseThrow();
    alive.forEach(m -> m.cutUntil = Long.MAX_VALUE);
    pause(100);
    if (!answers(candidate)) {
      return false;
    }
    candidate.apply();
    candidate.master = null;
    int epoch = cluster.epoch() + 1;
    world.tell("CLAIM " + candidate + " for epoch " + epoch);
    learn(candidate, world.topology);
    candidate.commit(s -> s.epochs.merge(cluster.name(), epoch, Math::max));
    pause(100);
    for (var other : world.topology.clusters()) {
      var master = world.server(other.master());
      if (other != cluster && answers(master) && !master.readOnly) {
        world.raise(master, cluster.name(), epoch);
      }
    }
    world.tell("EPOCHS " + epoch);
    pause(100);
    boolean keeps = answered && answers(old) && !old.isAstrayFrom(candidate);
    var listed = new ArrayList<Server>();
    minions.stream().filter(m -> m != candidate && !m.lost).forEach(m -> listed.add(m.server));
    if (keeps) {
      listed.add(old.server);
    } else {
      world.checks.lost();
    }
    change(
        new StorageCluster(
            cluster.name(), cluster.shards(), epoch, candidate.server, List.copyOf(listed)));
    world.tell("TOPOLOGY " + candidate + (keeps ? ", the old master stays" : ""));
    pause(100);
    learn(candidate, world.topology);
    candidate.readOnly = !answers(candidate);
    candidate.cutUntil = 0;
    world.tell("OPEN " + candidate);
    pause(100);
    for (var minion : listed) {
      var m = world.server(minion);
      m.cutUntil = 0;
      if (answers(m)) {
        m.apply();
        rejoin(m, candidate);
      }
    }
    world.checks.all();
    pause(500);
    world.tell("CONNECTORS");
    world.group.reconfigure();
    return true;
  }

  /** A minion may have missed a promotion of another cluster, too. */
  private static void learn(ModelledServer server, Topology topology) {
    server.commit(
        s -> topology.clusters().forEach(c -> s.epochs.merge(c.name(), c.epoch(), Math::max)));
  }

  private void change(StorageCluster cluster) {
    var clusters =
        world.topology.clusters().stream()
            .map(c -> c.name().equals(cluster.name()) ? cluster : c)
            .toList();
    var old = world.topology;
    world.topology = new Topology(old.instance(), old.shards(), old.datacenter(), clusters);
  }

  /** Makes a server anew from a master, and lists it. */
  void addMinion(String name) {
    if (!acquire(name)) {
      return;
    }
    try {
      var cluster = world.topology.cluster(name);
      var master = world.server(cluster.master());
      if (!answers(master) || cluster.minions().size() >= 2) {
        return;
      }
      int number = servers++;
      var server = new Server("db" + number, 3306, cluster.master().domain());
      var made = new ModelledServer(server, name, world.newUuid());
      made.cloneFrom(master, made.uuid());
      world.servers.put(server.address(), made);
      pause(300);
      var minions = new ArrayList<>(cluster.minions());
      minions.add(server);
      change(
          new StorageCluster(name, cluster.shards(), cluster.epoch(), cluster.master(), minions));
      world.tell(made + " is a minion of " + master);
      world.replicate(master);
      pause(500);
      world.group.reconfigure();
    } finally {
      busy.remove(name);
    }
  }

  /** Takes a minion out of the topology; the epoch rises with that. */
  void removeMinion(String name, ModelledServer minion) {
    if (!acquire(name)) {
      return;
    }
    try {
      var cluster = world.topology.cluster(name);
      var master = world.server(cluster.master());
      if (!cluster.minions().contains(minion.server) || !answers(master) || master.readOnly) {
        return;
      }
      int epoch = cluster.epoch() + 1;
      for (var each : world.topology.clusters()) {
        var other = world.server(each.master());
        if (answers(other) && !other.readOnly) {
          world.raise(other, name, epoch);
        }
      }
      var minions = new ArrayList<>(cluster.minions());
      minions.remove(minion.server);
      change(new StorageCluster(name, cluster.shards(), epoch, cluster.master(), minions));
      minion.master = null;
      minion.removed = true;
      world.tell(minion + " is no minion any more");
      world.checks.all();
      pause(500);
      world.group.reconfigure();
    } finally {
      busy.remove(name);
    }
  }
}
