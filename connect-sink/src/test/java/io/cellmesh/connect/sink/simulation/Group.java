package io.cellmesh.connect.sink.simulation;

import io.cellmesh.cell.Topology;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/** The connector's consumer group: which task owns which partition numbers. */
final class Group {
  private static final long GRACE = TimeUnit.SECONDS.toNanos(5);
  private static final long GUARDIAN = TimeUnit.SECONDS.toNanos(2);

  private final World world;
  private final Map<Integer, SinkWorker> owners = new HashMap<>();
  private final Map<Integer, Long> since = new HashMap<>();
  private final List<SinkWorker> live = new ArrayList<>();
  private int started;

  /** Whether anything of the future may still go wrong. */
  boolean healing;

  Group(World world) {
    this.world = world;
  }

  boolean owns(SinkWorker worker, int partition) {
    return owners.get(partition) == worker;
  }

  /** Since when a partition has an owner that goes on; the end of time if it has none. */
  long ownedSince(int partition) {
    var owner = owners.get(partition);
    return owner == null || owner.isStopping() ? Long.MAX_VALUE : since.get(partition);
  }

  /** Begins with one task that has all partitions, or two that share them. */
  void start(int tasks) {
    var workers = new ArrayList<SinkWorker>();
    for (int i = 0; i < tasks; i++) {
      workers.add(worker(world.topology));
    }
    for (int p = 0; p < partitions(); p++) {
      give(p, workers.get(p % tasks));
    }
    workers.forEach(SinkWorker::start);
  }

  private int partitions() {
    return world.topology.shards().partitions();
  }

  private SinkWorker worker(Topology topology) {
    var worker = new SinkWorker(world, topology, started++);
    live.add(worker);
    return worker;
  }

  private void give(int partition, SinkWorker worker) {
    owners.put(partition, worker);
    since.put(partition, world.time.nanoTime());
    worker.gets(partition);
  }

  /** A partition moves to the other task, or to a new one. */
  void move(int partition) {
    var from = owners.get(partition);
    if (from == null || from.isStopping()) {
      return;
    }
    var others = live.stream().filter(w -> w != from && !w.isStopping()).toList();
    var to = others.isEmpty() ? worker(world.topology) : others.get(0);
    world.tell("partition " + partition + " moves from " + from + " to " + to);
    from.loses(
        partition,
        () -> {
          if (owners.get(partition) == from && to.isStopping()) {
            var instead = worker(world.topology);
            give(partition, instead);
            instead.start();
          } else if (owners.get(partition) == from) {
            give(partition, to);
          }
        });
    if (others.isEmpty()) {
      to.start();
    }
  }

  /** Stops the task that owns a partition, and starts another in its place. */
  void restart(int partition) {
    var old = owners.get(partition);
    if (old != null && !old.isStopping()) {
      world.tell("restart of " + old);
      old.stop();
      world.time.execute(0, () -> replaceWhenEnded(old));
    }
  }

  /** All tasks begin anew, with the topology of now. */
  void reconfigure() {
    for (var worker : List.copyOf(live)) {
      if (!worker.isStopping()) {
        worker.stop();
        world.time.execute(0, () -> replaceWhenEnded(worker));
      }
    }
  }

  private void replaceWhenEnded(SinkWorker old) {
    // Connect waits no longer for a task; then it goes on as a zombie.
    world.time.await(old.ended(), GRACE);
    replace(old);
  }

  /** The owner of a partition is believed dead; it sleeps, and goes on later. */
  void haunt(int partition, long nanos) {
    var old = owners.get(partition);
    if (old != null && !old.isStopping()) {
      world.tell(old + " becomes a zombie");
      old.haunt(nanos);
      replace(old);
    }
  }

  /** A task has failed for good. */
  void failed(SinkWorker worker) {
    world.time.execute(GUARDIAN, () -> replace(worker));
  }

  private void replace(SinkWorker old) {
    live.remove(old);
    var partitions = new TreeSet<Integer>();
    owners.forEach(
        (partition, owner) -> {
          if (owner == old) {
            partitions.add(partition);
          }
        });
    if (!partitions.isEmpty()) {
      var fresh = worker(world.topology);
      world.tell(fresh + " takes over from " + old + ": " + partitions);
      partitions.forEach(partition -> give(partition, fresh));
      fresh.start();
    }
  }

  /** What the tasks say of themselves. */
  String lanes() {
    var text = new StringBuilder();
    live.forEach(worker -> text.append(worker).append(": ").append(worker.lanes()).append('\n'));
    return text.toString();
  }
}
