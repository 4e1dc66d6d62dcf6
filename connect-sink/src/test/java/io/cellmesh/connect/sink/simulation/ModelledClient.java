package io.cellmesh.connect.sink.simulation;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.connect.sink.simulation.ModelledServer.Change;
import io.cellmesh.connect.sink.simulation.ModelledServer.Ledgered;
import io.cellmesh.storage.EntityTransaction.Result;
import io.cellmesh.storage.EntityTransaction.Write;
import io.cellmesh.storage.NodeUnavailableException;
import io.cellmesh.storage.NodeUnavailableException.Why;
import io.cellmesh.storage.Position;
import io.cellmesh.storage.PrimaryStore;
import io.cellmesh.storage.Refusals;
import io.cellmesh.storage.ServerHealth;
import io.cellmesh.storage.StaleEpochException;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** One process's connections to the modelled servers, with breakers as {@code Node} has them. */
final class ModelledClient implements PrimaryStore, ServerHealth {
  private static final long PROBE = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long CONNECT = TimeUnit.MILLISECONDS.toNanos(2500);
  static final long ANSWER = TimeUnit.SECONDS.toNanos(10);
  private static final long LOCK_WAIT = TimeUnit.SECONDS.toNanos(5);
  private static final long IDLE = TimeUnit.SECONDS.toNanos(15);
  private static final int ATTEMPTS = 3;

  private final World world;
  private final Topology topology;
  private final VirtualTime time;

  /** Until when a server is left alone, and until when by those who write. */
  private final Map<String, Long> gone = new HashMap<>();

  private final Map<String, Long> closed = new HashMap<>();

  /** Until when this process does nothing. */
  long pausedUntil;

  ModelledClient(World world, Topology topology) {
    this.world = world;
    this.topology = topology;
    this.time = world.time;
  }

  interface Work<T> {
    T on(ModelledServer server) throws SQLException;
  }

  @Override
  public boolean healthy(Server server) {
    var s = world.server(server);
    return left(gone, server, s.up && !isHung(s));
  }

  @Override
  public boolean writable(Server server) {
    return healthy(server) && left(closed, server, !world.server(server).readOnly);
  }

  @Override
  public void suspect(Server server) {
    if (healthy(server)) {
      gone.put(server.address(), time.nanoTime() + 1);
      world.checks.unwell(world.server(server), time.nanoTime());
    }
  }

  /** A probe closes a breaker when it is due and succeeds. */
  private boolean left(Map<String, Long> breakers, Server server, boolean well) {
    var until = breakers.get(server.address());
    if (until == null) {
      return true;
    }
    if (until <= time.nanoTime()) {
      if (well) {
        breakers.remove(server.address());
        return true;
      }
      breakers.put(server.address(), time.nanoTime() + PROBE);
    }
    return false;
  }

  @Override
  public Map<Integer, Position> positions(StorageCluster primary, Collection<Integer> partitions)
      throws SQLException, NodeUnavailableException {
    return ask(primary.master(), false, ANSWER, s -> positions(s, partitions));
  }

  @Override
  public Reached reached(Server server, Collection<Integer> partitions)
      throws SQLException, NodeUnavailableException {
    return ask(
        server, false, ANSWER, s -> new Reached(s.uuid(), positions(s, partitions), s.executed()));
  }

  private static Map<Integer, Position> positions(
      ModelledServer server, Collection<Integer> partitions) {
    var positions = new HashMap<>(server.positions);
    positions.keySet().retainAll(partitions);
    return positions;
  }

  @Override
  public Result write(
      StorageCluster primary, List<Write> writes, Refusals refusals, Runnable beforeCommit)
      throws SQLException, NodeUnavailableException {
    var server = primary.master();
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      var s = reach(server, true, ANSWER, () -> {});
      var lock = lock(s, writes);
      if (lock.isPresent()) {
        try {
          return transaction(s, primary, writes, lock.get(), refusals, beforeCommit);
        } finally {
          unlock(s, writes, lock.get());
        }
      }
    }
    throw new NodeUnavailableException(server, Why.BUSY, "locks are in the way", null);
  }

  private Optional<CompletableFuture<Void>> lock(ModelledServer server, List<Write> writes)
      throws NodeUnavailableException {
    long deadline = time.nanoTime() + LOCK_WAIT;
    int crashes = server.crashes;
    for (var write : writes) {
      var holder = server.locks.get(write.partition());
      while (holder != null) {
        if (!time.await(holder, deadline - time.nanoTime())) {
          return Optional.empty();
        }
        holder = server.locks.get(write.partition());
      }
    }
    if (server.crashes != crashes || !server.up) {
      throw lose(server.server);
    }
    var lock = new CompletableFuture<Void>();
    // What was waited for first may be taken again while the next was waited for.
    if (writes.stream().anyMatch(write -> server.locks.containsKey(write.partition()))) {
      return Optional.empty();
    }
    writes.forEach(write -> server.locks.put(write.partition(), lock));
    return Optional.of(lock);
  }

  private static void unlock(
      ModelledServer server, List<Write> writes, CompletableFuture<Void> lock) {
    writes.forEach(write -> server.locks.remove(write.partition(), lock));
    lock.complete(null);
  }

  private Result transaction(
      ModelledServer s,
      StorageCluster primary,
      List<Write> writes,
      CompletableFuture<Void> lock,
      Refusals refusals,
      Runnable beforeCommit)
      throws SQLException, NodeUnavailableException {
    checkEpoch(s, primary);
    if (s.readOnly) {
      throw close(s.server);
    }
    var moved = writes.stream().anyMatch(w -> !w.expected().equals(s.positions.get(w.partition())));
    if (moved) {
      return new Result.Moved(positions(s, writes.stream().map(Write::partition).toList()));
    }
    var verdict = ModelledCellDecision.of(s, topology, writes, refusals);
    verdict.tell(refusals);
    int crashes = s.crashes;
    sleep(world.latency(s));
    long idle = time.nanoTime();
    // A session that is idle too long ends, and frees its locks.
    time.later(IDLE, () -> unlock(s, writes, lock));
    beforeCommit.run();
    pause();
    if (time.nanoTime() - idle >= IDLE) {
      throw lose(s.server);
    }
    sleep(world.latency(s));
    if (isHung(s) && hangs(s, ANSWER)) {
      // What was sent waits at the server; whether it still counts is a matter of luck.
      if (world.random.nextBoolean()) {
        awaken(
            s,
            () -> {
              if (isStillOpen(s, primary, writes)) {
                commit(s, primary, writes, verdict);
              }
            });
      }
      throw lose(s.server);
    }
    boolean open = writes.stream().allMatch(w -> s.locks.get(w.partition()) == lock);
    if (s.crashes != crashes || !s.up || !open) {
      throw lose(s.server);
    }
    if (s.readOnly) {
      throw close(s.server);
    }
    commit(s, primary, writes, verdict);
    answered(s);
    return new Result.Applied(verdict.outcome());
  }

  /** Whether nobody has come between; a server that hung has held the locks meanwhile. */
  private static boolean isStillOpen(ModelledServer s, StorageCluster primary, List<Write> writes) {
    return !s.readOnly
        && s.epochs.get(primary.name()) == primary.epoch()
        && writes.stream()
            .allMatch(
                w ->
                    w.expected().equals(s.positions.get(w.partition()))
                        && !s.locks.containsKey(w.partition()));
  }

  private void commit(
      ModelledServer s, StorageCluster primary, List<Write> writes, ModelledCellDecision verdict) {
    s.commit(
        server -> {
          verdict.fresh().forEach(server::insert);
          verdict.news().forEach(d -> server.conflicts.put(d.place(), new Ledgered(d, false)));
          writes.forEach(write -> server.positions.put(write.partition(), write.next()));
        });
    world.checks.written(s, primary.name(), writes, verdict.fresh());
    world.replicate(s);
  }

  static void checkEpoch(ModelledServer server, StorageCluster primary) throws StaleEpochException {
    if (server.epochs.get(primary.name()) != primary.epoch()) {
      throw new StaleEpochException(primary.name(), primary.epoch());
    }
  }

  Void commit(ModelledServer server, Change change) {
    server.commit(change);
    world.replicate(server);
    return null;
  }

  /** One statement; what is sent to a server that hangs may be done when it wakes. */
  <T> T ask(Server server, boolean writes, long patience, Work<T> work)
      throws SQLException, NodeUnavailableException {
    var s =
        reach(
            server,
            writes,
            patience,
            () -> {
              if (writes && !world.server(server).readOnly) {
                try {
                  work.on(world.server(server));
                } catch (SQLException e) {
                  // Nobody is there to hear it.
                  return;
                }
              }
            });
    if (writes && s.readOnly) {
      throw close(server);
    }
    T result = work.on(s);
    answered(s);
    return result;
  }

  /** Sends something to a server, and returns when that has it. */
  private ModelledServer reach(Server server, boolean writes, long patience, Runnable late)
      throws NodeUnavailableException {
    pause();
    if (!healthy(server)) {
      throw new NodeUnavailableException(server, Why.GONE, "left alone", null);
    }
    if (writes && !writable(server)) {
      throw new NodeUnavailableException(server, Why.WRITES_NOTHING, "left alone", null);
    }
    var s = world.server(server);
    sleep(Math.min(patience, world.latency(s)));
    if (s.lost) {
      sleep(Math.min(patience, CONNECT));
      throw lose(server);
    }
    if (!s.up) {
      throw lose(server);
    }
    if (isHung(s) && hangs(s, patience)) {
      if (world.random.nextBoolean()) {
        awaken(s, late);
      }
      throw lose(server);
    }
    if (!s.up) {
      throw lose(server);
    }
    return s;
  }

  /** Waits for a server that hangs, and says whether that was in vain. */
  private boolean hangs(ModelledServer server, long patience) {
    long left = server.hungUntil - time.nanoTime();
    sleep(Math.min(left, patience));
    return left > patience || !server.up;
  }

  private void awaken(ModelledServer server, Runnable late) {
    int crashes = server.crashes;
    time.later(
        Math.max(0, server.hungUntil - time.nanoTime() - 1),
        () -> {
          if (server.up && server.crashes == crashes) {
            late.run();
          }
        });
  }

  private boolean isHung(ModelledServer server) {
    return server.hungUntil > time.nanoTime();
  }

  /** The answer's way back. */
  private void answered(ModelledServer server) throws NodeUnavailableException {
    int crashes = server.crashes;
    sleep(world.latency(server));
    pause();
    if (server.crashes != crashes || server.deafUntil > time.nanoTime()) {
      throw lose(server.server);
    }
  }

  private NodeUnavailableException lose(Server server) {
    gone.put(server.address(), time.nanoTime() + PROBE);
    return new NodeUnavailableException(server, Why.GONE, "no answer", null);
  }

  private NodeUnavailableException close(Server server) {
    closed.put(server.address(), time.nanoTime() + PROBE);
    return new NodeUnavailableException(server, Why.WRITES_NOTHING, "read-only", null);
  }

  private void pause() {
    sleep(pausedUntil - time.nanoTime());
  }

  private void sleep(long nanos) {
    time.sleep(nanos);
  }
}
