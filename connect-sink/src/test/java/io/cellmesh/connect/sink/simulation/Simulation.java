package io.cellmesh.connect.sink.simulation;

import io.cellmesh.connect.sink.simulation.World.Violation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Runs schedules: the real core of the sink over modelled servers, Kafka and Connect. After each
 * change the {@link Checks} look; in the end everything is made well, and all cells must be where
 * they belong within {@link #QUIET}.
 */
final class Simulation {
  /** Within so many seconds all is done once nothing is wrong any more. */
  static final int QUIET = 120;

  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  private final VirtualTime.Baton baton = new VirtualTime.Baton();
  private final Map<Integer, Cells> cells = new HashMap<>();

  /**
   * How a run went.
   *
   * @param violation what must not have been; empty if all went well
   * @param digest of all that happened
   * @param story what happened, if it was asked for
   */
  record Outcome(Optional<Throwable> violation, long digest, List<String> story) {
    /** What is wrong, without what differs from run to run. */
    String kind() {
      var text = String.valueOf(violation.orElseThrow().getMessage());
      int end = text.indexOf(':');
      return (end < 0 ? text : text.substring(0, end)).replaceAll("\\d+", "");
    }
  }

  Outcome run(Schedule schedule) {
    return run(schedule, false);
  }

  Outcome run(Schedule schedule, boolean tell) {
    var story = tell ? new ArrayList<String>() : null;
    var world = new World(schedule, baton, story);
    world.time.execute(0, () -> live(world, schedule));
    world.time.execute(0, () -> watch(world));
    Throwable violation = null;
    try {
      world.time.run();
    } catch (Throwable e) {
      violation = e;
    }
    return new Outcome(
        Optional.ofNullable(violation), world.digest(), story == null ? List.of() : story);
  }

  private void live(World world, Schedule schedule) {
    world.group.start(schedule.tasks());
    for (var step : schedule.steps()) {
      world.time.sleep((step.at() - world.time.millis()) * MILLI);
      world.tell(step.toString().strip());
      happen(world, step, schedule.clusters());
      world.checks.all();
    }
    world.time.sleep(1000 * MILLI);
    heal(world);
  }

  private static void watch(World world) {
    while (!world.time.isOver()) {
      world.time.sleep(500 * MILLI);
      world.checks.singles();
    }
  }

  private void happen(World world, Step step, int clusters) {
    switch (step.kind()) {
      case PRODUCE -> produce(world, step, clusters);
      case RETAIN -> {
        if (!world.keeps) {
          world.kafka.retain();
        }
      }
      case MUTE -> world.muteUntil = until(world, step);
      case MOVE -> world.group.move(step.which() % 2);
      case RESTART -> world.group.restart(step.which() % 2);
      case ZOMBIE -> world.group.haunt(step.which() % 2, step.size() * MILLI);
      case PROMOTE -> promote(world, cluster(world, step));
      case ADD_MINION ->
          world.time.execute(0, () -> world.operator.addMinion(cluster(world, step)));
      case REMOVE_MINION -> removeMinion(world, cluster(world, step));
      default -> fail(world, step);
    }
  }

  private void produce(World world, Step step, int clusters) {
    var logs = new ArrayList<ModelledKafka.Log>();
    world.kafka.logs().forEach(logs::add);
    cells
        .computeIfAbsent(clusters, c -> new Cells(world.topology))
        .produce(
            world.kafka,
            logs.get(step.which() % logs.size()),
            step.size(),
            step.at() * 31 + step.which(),
            world.time.nanoTime());
  }

  private static String cluster(World world, Step step) {
    var clusters = world.topology.clusters();
    return clusters.get(step.which() % clusters.size()).name();
  }

  private static void fail(World world, Step step) {
    var listed = world.listed();
    var server = listed.get(step.which() % listed.size());
    long until = until(world, step);
    world.tell("it is " + server + " of " + server.cluster);
    boolean minion = world.master(server.cluster) != server;
    if (!minion && step.kind() != Step.Kind.LOSE) {
      world.checks.unwell(server, until);
    }
    switch (step.kind()) {
      case CRASH -> crash(world, server, step);
      case HANG -> {
        if (server.up) {
          server.hungUntil = until;
          world.time.later(
              step.size() * MILLI,
              () -> {
                if (server.up) {
                  world.replicate(server);
                }
              });
        }
      }
      case SLOW -> server.slowUntil = until;
      case DEAF -> server.deafUntil = until;
      case LAG -> server.lagUntil = until;
      case CUT -> server.cutUntil = Math.max(server.cutUntil, until);
      case LOSE -> lose(world, server);
      default -> throw new IllegalArgumentException(step.toString());
    }
  }

  private static void crash(World world, ModelledServer server, Step step) {
    if (server.up) {
      server.crash();
      server.readOnly = true;
      world.time.later(step.size() * MILLI, () -> restart(world, server));
    }
  }

  private static void restart(World world, ModelledServer server) {
    if (!server.up && !server.lost) {
      server.up = true;
      world.tell(server + " is back");
      world.operator.returned(server);
      if (world.master(server.cluster) == server) {
        world.checks.unwell(server, world.time.nanoTime());
      }
    }
  }

  private static void lose(World world, ModelledServer server) {
    boolean others =
        world.topology.cluster(server.cluster).servers().stream()
            .map(world::server)
            .anyMatch(other -> other != server && !other.lost);
    if (world.operator.isBusy() || !others || !world.checks.canLose(server)) {
      world.tell("it can't be lost now");
      return;
    }
    world.checks.lost();
    server.crash();
    server.lost = true;
    world.checks.unwell(server, world.time.nanoTime());
    world.time.execute(0, () -> world.operator.replace(server));
  }

  private static void promote(World world, String cluster) {
    if (!world.operator.isBusy() && world.checks.canLose(world.master(cluster))) {
      world.checks.unwell(world.master(cluster), world.time.nanoTime());
      world.checks.lost();
      world.time.execute(0, () -> world.operator.promote(cluster));
    }
  }

  private static void removeMinion(World world, String cluster) {
    var minions = world.topology.cluster(cluster).minions();
    if (minions.isEmpty() || world.operator.isBusy()) {
      return;
    }
    var minion = world.server(minions.get(0));
    if (world.checks.canLose(minion)) {
      world.checks.lost();
      world.time.execute(0, () -> world.operator.removeMinion(cluster, minion));
    }
  }

  private static long until(World world, Step step) {
    return world.time.nanoTime() + step.size() * MILLI;
  }

  /**
   * Makes everything well, and waits until everything is done. Primaries whose cells stand in one
   * copy alone come last, so that there is time for a second copy.
   */
  private static void heal(World world) {
    world.tell("all is made well");
    world.muteUntil = 0;
    var later = world.checks.primariesOfSingles();
    if (!later.isEmpty()) {
      heal(world, later);
      world.tell("only " + later + " can't be written");
      world.time.sleep(Checks.DOUBLED + 2000 * MILLI);
    }
    heal(world, Set.of());
    awaitQuiet(world);
  }

  private static void heal(World world, Set<ModelledServer> later) {
    for (var server : world.listed()) {
      if (later.contains(server)) {
        continue;
      }
      server.hungUntil = 0;
      server.slowUntil = 0;
      server.deafUntil = 0;
      server.lagUntil = 0;
      if (server.cutUntil != Long.MAX_VALUE) {
        server.cutUntil = 0;
      }
      restart(world, server);
      world.replicate(server);
    }
  }

  private static void awaitQuiet(World world) {
    var end = new EndChecks(world);
    for (int i = 0; i < 2 * QUIET; i++) {
      if (i % 6 == 0) {
        mend(world);
      }
      world.time.sleep(500 * MILLI);
      if (!world.operator.isBusy() && end.unfinished().isEmpty()) {
        end.order();
        world.time.end(null);
        return;
      }
    }
    world.tell(world.group.lanes());
    throw world.violated("not quiet within %d s: %s".formatted(QUIET, end.unfinished()));
  }

  private static void mend(World world) {
    world.operator.rejoin();
    for (var cluster : world.topology.clusters()) {
      var master = world.server(cluster.master());
      if (master.lost) {
        world.time.execute(0, () -> world.operator.promote(cluster.name()));
      } else if (master.readOnly && !world.operator.isBusy()) {
        world.operator.returned(master);
      }
      for (var minion : cluster.minions()) {
        if (world.server(minion).lost) {
          world.time.execute(
              0, () -> world.operator.removeMinion(cluster.name(), world.server(minion)));
        }
      }
      if (cluster.minions().isEmpty()) {
        world.time.execute(0, () -> world.operator.addMinion(cluster.name()));
      }
      world.replicate(master);
    }
  }

  /** A violation that is one of ours, and not a defect of the simulation. */
  static boolean isViolation(Throwable e) {
    return e instanceof Violation;
  }
}
