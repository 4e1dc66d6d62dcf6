package io.cellmesh.worker.status;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.storage.CellLookup.Answer;
import io.cellmesh.storage.Position;
import io.cellmesh.worker.status.ServerPulse.State;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Asks every MySQL server of the data centre, side by side, for one line: whether it takes writes,
 * and how far it has the ingest topics. Nobody waits for an answer: a server that keeps one waiting
 * is not asked again before, and counts as silent after {@link #PATIENCE}. Thread-safe.
 */
final class Pulse {
  static final Duration PATIENCE = Duration.ofSeconds(1);

  private final Supplier<Topology> map;
  private final Asking asking;
  private final Clock clock;
  private final ConcurrentHashMap<String, Heart> hearts = new ConcurrentHashMap<>();

  /** How a server is asked. */
  @FunctionalInterface
  interface Asking {
    /**
     * @return the answer, which fails if the server is gone; it may never come
     */
    CompletableFuture<Answer> ask(Server server, Topology topology, List<Integer> partitions);
  }

  /**
   * @param map the shard map as it is now
   */
  Pulse(Supplier<Topology> map, Asking asking, Clock clock) {
    this.map = map;
    this.asking = asking;
    this.clock = clock;
  }

  /** Asks those that owe no answer. It does not wait. */
  void beat() {
    var topology = map.get();
    var partitions = IntStream.range(0, topology.shards().partitions()).boxed().toList();
    for (var cluster : topology.clusters()) {
      for (var server : cluster.servers()) {
        heart(server).beat(server, topology, partitions, server.equals(cluster.master()));
      }
    }
  }

  /** How the servers are, masters before their minions. */
  List<ServerPulse> servers() {
    var pulses = new ArrayList<ServerPulse>();
    for (var cluster : map.get().clusters()) {
      for (var server : cluster.servers()) {
        var role = server.equals(cluster.master()) ? "master" : "minion";
        pulses.add(heart(server).pulse(cluster.name(), role, server.address()));
      }
    }
    return pulses;
  }

  /** When a server was asked last and the outcome known. */
  Instant at() {
    return servers().stream()
        .map(ServerPulse::at)
        .max(Comparator.naturalOrder())
        .orElse(clock.instant());
  }

  private Heart heart(Server server) {
    return hearts.computeIfAbsent(server.address(), address -> new Heart());
  }

  /** One server; what is asked of it and what it said. */
  private final class Heart {
    private Instant asked;
    private State state = State.UNKNOWN;
    private Instant since = clock.instant();
    private boolean atLeast = true;
    private String why = "not asked yet";
    private Instant at = clock.instant();
    private Map<Integer, Position> positions = Map.of();

    void beat(Server server, Topology topology, List<Integer> partitions, boolean master) {
      synchronized (this) {
        if (asked != null) {
          tellLate();
          return;
        }
        asked = clock.instant();
      }
      CompletableFuture<Answer> answer;
      try {
        answer = asking.ask(server, topology, partitions);
      } catch (RuntimeException | Error e) {
        // There is no room for another question; unless that is told none would be asked again.
        answer = CompletableFuture.failedFuture(e);
      }
      answer.whenComplete((said, e) -> heard(said, e, master));
    }

    synchronized ServerPulse pulse(String cluster, String role, String address) {
      tellLate();
      return new ServerPulse(cluster, role, address, state, since, atLeast, why, at, positions);
    }

    private synchronized void heard(Answer said, Throwable e, boolean master) {
      asked = null;
      if (e != null) {
        var cause = e instanceof CompletionException ? e.getCause() : e;
        become(State.SILENT, Piece.why(cause));
        return;
      }
      positions = said.positions();
      if (master && said.readOnly()) {
        become(State.READ_ONLY, "takes no writes");
      } else {
        become(State.WELL, "");
      }
    }

    private void tellLate() {
      if (asked != null && Duration.between(asked, clock.instant()).compareTo(PATIENCE) > 0) {
        become(State.SILENT, "no answer within %d ms".formatted(PATIENCE.toMillis()));
      }
    }

    private void become(State now, String reason) {
      at = clock.instant();
      if (state != now) {
        atLeast = state == State.UNKNOWN;
        since = at;
      }
      state = now;
      why = reason;
    }
  }
}
