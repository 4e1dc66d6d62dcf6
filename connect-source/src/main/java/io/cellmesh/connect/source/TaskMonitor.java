package io.cellmesh.connect.source;

import io.cellmesh.cell.Topology.Server;
import io.cellmesh.connect.source.TaskLife.Sign;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches from the connector, in whatever worker that is, whether its task lives, and has it
 * started anew when it does not.
 *
 * <p>Connect leaves a task FAILED for good whose producer has failed, and tells neither task nor
 * connector. A living task holds its {@link TaskLock} on every server that it can reach. Starting a
 * living one anew by mistake costs a pause: Connect fences its predecessor. A task that has failed
 * by itself, so that a person has to act, has said so in its offset and is left alone.
 */
final class TaskMonitor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TaskMonitor.class);

  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** An answer that is older says nothing any more: the server hangs. */
  private static final Duration FRESH = Duration.ofSeconds(3);

  private final String connector;
  private final TaskLock lock;
  private final Supplier<Optional<String>> failure;
  private final Runnable startAnew;
  private final List<ServerMonitor> monitors = new ArrayList<>();
  private final Map<Server, Seen> seen = new ConcurrentHashMap<>();
  private final TaskLife life = new TaskLife(System::nanoTime);
  private final StopSignal stop = new StopSignal();
  private final Thread thread;
  private volatile Sign sign = Sign.UNKNOWN;
  private volatile String waitsFor = "";

  private record Seen(boolean held, long at) {}

  /**
   * @param failure why the task has ended by itself; empty if it has not
   * @param startAnew has Connect start the task anew
   */
  TaskMonitor(CellSourceConfig config, Supplier<Optional<String>> failure, Runnable startAnew) {
    this.connector = config.connector();
    this.lock = TaskLock.of(config);
    this.failure = failure;
    this.startAnew = startAnew;
    for (var server : BinlogServer.of(config)) {
      monitors.add(new ServerMonitor(server, state -> {}, link -> look(server.server(), link)));
    }
    this.thread = new Thread(this::run, "cellmesh-task-monitor-" + connector);
    thread.setDaemon(true);
  }

  void start() {
    monitors.forEach(ServerMonitor::start);
    thread.start();
  }

  /** Whether the task lives, as far as the servers know. */
  Sign sign() {
    return sign;
  }

  /** Why a person has to act before there is a task again; else an empty text. */
  String waitsFor() {
    return waitsFor;
  }

  @Override
  public void close() {
    stop.give();
    monitors.forEach(ServerMonitor::close);
  }

  private void look(Server server, Connection connection) throws SQLException {
    seen.put(server, new Seen(lock.isHeld(connection), System.nanoTime()));
  }

  private void run() {
    try {
      while (!stop.isGiven()) {
        sign = signNow();
        if (sign == Sign.ALIVE) {
          waitsFor = "";
        }
        if (life.isLost(sign)) {
          lost();
        }
        stop.await(PAUSE);
      }
    } catch (InterruptedException e) {
      LOG.debug("No longer watching the task of {}", connector);
    }
  }

  private void lost() {
    try {
      var reason = failure.get();
      if (reason.isPresent()) {
        told(reason.get());
        return;
      }
      LOG.warn(
          "{}: its task has ended, and not by itself; asking Connect to start it anew. What ended it"
              + " is in the log of the worker that it ran in",
          connector);
      startAnew.run();
    } catch (RuntimeException e) {
      LOG.warn("{}: its task has ended and could not be started anew; trying again", connector, e);
    }
    life.startedAnew();
  }

  private void told(String reason) {
    if (!reason.equals(waitsFor)) {
      waitsFor = reason;
      LOG.warn("{}: its task stays FAILED until a person has acted: {}", connector, reason);
    }
  }

  private Sign signNow() {
    long now = System.nanoTime();
    var fresh = seen.values().stream().filter(s -> now - s.at < FRESH.toNanos()).toList();
    if (fresh.isEmpty()) {
      return Sign.UNKNOWN;
    }
    return fresh.stream().anyMatch(Seen::held) ? Sign.ALIVE : Sign.NONE;
  }
}
