package io.cellmesh.connect.source;

import io.cellmesh.cell.GtidSet;
import io.cellmesh.connect.source.ServerChoice.Read;
import io.cellmesh.connect.source.ServerChoice.Stop;
import io.cellmesh.connect.source.ServerChoice.Wait;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.connect.errors.ConnectException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Selects the server of the cluster to read, and tells when another one is better. It says in the
 * log what it decides. Only {@link #close} may be called by another thread.
 */
final class ServerSelector implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ServerSelector.class);

  /** A server that has not answered for so long counts as silent. */
  private static final Duration HANGS = Duration.ofSeconds(3);

  private static final Duration RECONSIDERED = Duration.ofSeconds(5);
  private static final Duration REMINDER = Duration.ofSeconds(30);

  private final ServerChoice choice;
  private final List<ServerMonitor> monitors;
  private final StopConfirmation confirmation = new StopConfirmation(System::nanoTime);
  private long freshSince = System.nanoTime();
  private long awaySince = freshSince;
  private boolean away = true;
  private long reconsidered = System.nanoTime();
  private long reminded;
  private Optional<GtidSet> passedThen = Optional.empty();
  private volatile Optional<BinlogServer> current = Optional.empty();
  private volatile boolean second;
  private String lastNote = "";

  private ServerSelector(ServerChoice choice, List<ServerMonitor> monitors) {
    this.choice = choice;
    this.monitors = monitors;
  }

  /**
   * Begins to watch, and to show on every server that this task lives.
   *
   * @param observer told every state of every server, in threads of their own
   */
  static ServerSelector watch(CellSourceConfig config, Consumer<ServerState> observer) {
    var monitors = new ArrayList<ServerMonitor>();
    var cluster = config.cluster();
    var lock = TaskLock.of(config);
    for (var server : BinlogServer.of(config)) {
      monitors.add(new ServerMonitor(server, observer, lock::hold));
    }
    monitors.forEach(ServerMonitor::start);
    return new ServerSelector(
        new ServerChoice(cluster.name(), config.readsMaster(), config.masterAfter()), monitors);
  }

  /**
   * The server to read.
   *
   * @param passed the transactions that the log has shown; empty if any server will do
   * @return empty if it is not known yet, or none can be read for the time being
   * @throws ConnectException if a person has to act
   */
  Optional<BinlogServer> choose(Optional<GtidSet> passed) {
    var states = statesSince(freshSince);
    if (states.isEmpty()) {
      return Optional.empty();
    }
    var decision = choice.decide(states.get(), passed, since(awaySince));
    if (decision instanceof Stop stop) {
      stop(stop);
      return Optional.empty();
    }
    confirmation.revoke();
    if (decision instanceof Wait wait) {
      remind(wait.reason());
      return Optional.empty();
    }
    var read = (Read) decision;
    if (!read.note().equals(lastNote)) {
      say(read);
      lastNote = read.note();
    }
    second = read.second();
    current =
        monitors.stream()
            .map(ServerMonitor::server)
            .filter(s -> s.server().equals(read.server()))
            .findFirst();
    return current;
  }

  /** What was to be read can't be, or is no longer: asks all of them at once. */
  void leave() {
    ask();
    if (!away) {
      away = true;
      awaySince = freshSince;
    }
  }

  /** The chosen server is heard. */
  void arrived() {
    away = false;
  }

  /** The server that is read, or was last. */
  Optional<BinlogServer> current() {
    return current;
  }

  /** Whether that is not of the kind that was asked for. */
  boolean readsSecondChoice() {
    return second;
  }

  /**
   * Whether another server should be read than the one that is: it is of the preferred kind, and
   * the present one is not. It may be asked at any time, and looks every few seconds.
   *
   * @param passed tells the transactions that the log has shown
   */
  boolean shouldMove(Supplier<Optional<GtidSet>> passed) {
    if (since(reconsidered).compareTo(RECONSIDERED) < 0 || current.isEmpty()) {
      return false;
    }
    reconsidered = System.nanoTime();
    var before = passedThen;
    passedThen = passed.get();
    var states = monitors.stream().map(ServerMonitor::state).flatMap(Optional::stream).toList();
    return before.isPresent()
        && choice.prefersAnother(current.get().server(), states, before.get());
  }

  @Override
  public void close() {
    monitors.forEach(ServerMonitor::close);
  }

  /** Asks all servers at once: only what they say from now on counts. */
  private void ask() {
    freshSince = System.nanoTime();
    monitors.forEach(ServerMonitor::nudge);
  }

  private void stop(Stop stop) {
    switch (confirmation.next(stop.lasting(), freshSince)) {
      case WAIT -> {}
      case ASK_AGAIN -> ask();
      case STOP -> throw new ConnectException(stop.message());
    }
  }

  private void remind(String reason) {
    if (since(awaySince).compareTo(HANGS) > 0
        && (reminded == 0 || since(reminded).compareTo(REMINDER) > 0)) {
      reminded = System.nanoTime();
      LOG.warn(
          "Cluster {}: nothing could be read for {} s: {}",
          choice.cluster(),
          since(awaySince).toSeconds(),
          reason);
    }
  }

  private void say(Read read) {
    if (read.second()) {
      LOG.warn("Cluster {}: reading {}", choice.cluster(), read.note());
    } else {
      LOG.info("Cluster {}: reading {}", choice.cluster(), read.note());
    }
  }

  /** Empty while some server has had no time to answer since then. */
  private Optional<List<ServerState>> statesSince(long then) {
    boolean timeIsUp = since(then).compareTo(HANGS) > 0;
    var states = new ArrayList<ServerState>();
    for (var monitor : monitors) {
      var state = monitor.state().filter(s -> s.at() - then >= 0);
      if (state.isEmpty() && !timeIsUp) {
        return Optional.empty();
      }
      states.add(
          state.orElseGet(
              () ->
                  ServerState.silent(
                          monitor.server().server(),
                          monitor.server().listedMaster(),
                          then,
                          "no answer for " + HANGS.toSeconds() + " s",
                          false)
                      .after(monitor.state())));
    }
    return Optional.of(states);
  }

  private static Duration since(long then) {
    return Duration.ofNanos(System.nanoTime() - then);
  }
}
