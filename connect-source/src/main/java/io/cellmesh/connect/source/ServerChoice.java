package io.cellmesh.connect.source;

import io.cellmesh.cell.GtidSet;
import io.cellmesh.cell.Topology.Server;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Which server of a cluster to read; a pure function of what its servers said.
 *
 * <p>A server qualifies if it has every transaction that the log has shown and the binlogs of all
 * that came after them. Minions are taken in the order of the topology, those last whose
 * replication has stopped. Unless the master is asked for, it comes last and only after a while
 * without a minion: what it alone has, a promotion can take back (invariant 8). A minion that has
 * just left replication counts as one: a promotion is under way.
 *
 * @param cluster its name
 * @param wantsMaster whether the master comes first, and minions only while it is away
 * @param patience how long no minion may be readable before the master is; empty for ever
 */
record ServerChoice(String cluster, boolean wantsMaster, Optional<Duration> patience) {

  /** A server that is only being set up says it for a moment. */
  private static final Duration MOMENT = Duration.ofSeconds(2);

  /**
   * A minion can show a transaction before its master admits to it: with semi-sync (AFTER_SYNC)
   * that waits until enough of them have acknowledged it, or for 10 s, its timeout by default.
   */
  private static final Duration ADMISSION = Duration.ofSeconds(12);

  /** What follows. */
  sealed interface Decision {}

  /**
   * @param second whether it is not of the preferred kind
   */
  record Read(Server server, boolean second, String note) implements Decision {}

  record Wait(String reason) implements Decision {}

  /**
   * A person has to act; the message says how.
   *
   * @param lasting for how long the servers must have said so
   */
  record Stop(String message, Duration lasting) implements Decision {}

  /**
   * Decides.
   *
   * @param all states of the cluster's servers, in the topology's order
   * @param passed the transactions that the log has shown; empty if any server will do
   * @param away for how long nothing has been read
   */
  Decision decide(List<ServerState> all, Optional<GtidSet> passed, Duration away) {
    var states = withoutDeposed(all);
    var readable =
        states.stream()
            .filter(s -> passed.map(s::canGoOnFrom).orElse(s.answer().isPresent()))
            .toList();
    // The first of those that are equal.
    var first =
        readable.stream()
            .filter(this::preferred)
            .min(Comparator.comparing(s -> isStuck(s, states)));
    if (first.isPresent()) {
      return read(first.get(), false, first.get().describe());
    }
    if (passed.isPresent()) {
      var contradiction = states.stream().filter(s -> s.contradicts(passed.get())).findFirst();
      // What a listed master lacks its successor has, or may have written while it is away.
      if (contradiction.isPresent()
          && states.stream().noneMatch(s -> s.mayBeSuccessor(passed.get()))) {
        return new Stop(diverged(contradiction.get(), passed.get()), ADMISSION);
      }
    }
    var refused =
        states.stream()
            .filter(ServerState::refused)
            .min(Comparator.comparing(this::preferred, Comparator.reverseOrder()));
    if (refused.isPresent() && states.stream().noneMatch(s -> mayStillDo(s, passed))) {
      return new Stop(refused.get().describe() + ": " + refused.get().problem(), MOMENT);
    }
    var second = readable.stream().findFirst();
    var hope =
        states.stream()
            .filter(s -> preferred(s) || s.isBetweenRoles())
            .filter(s -> canStillCome(s, passed))
            .findFirst();
    if (second.isPresent() && (hope.isEmpty() || isOver(away))) {
      return read(second.get(), true, secondBest(second.get(), states, passed));
    }
    if (second.isEmpty()
        && passed.isPresent()
        && states.stream().allMatch(s -> s.hasPurgedAfter(passed.get()))) {
      return new Stop(purged(states, passed.get()), MOMENT);
    }
    return new Wait(problems(states, passed));
  }

  /**
   * Whether to leave a server that can still be read.
   *
   * @param passed the transactions that the log had shown before the states were asked for
   */
  boolean prefersAnother(Server current, List<ServerState> all, GtidSet passed) {
    var states = withoutDeposed(all);
    var here = states.stream().filter(s -> s.server().equals(current) && preferred(s)).findFirst();
    return states.stream()
        .filter(s -> preferred(s) && s.canGoOnFrom(passed))
        .anyMatch(s -> here.isEmpty() || isStuck(here.get(), states) && !isStuck(s, states));
  }

  /**
   * Whether a minion gets nothing that others may get. A promotion stops the replication of
   * minions, too, and one that it did not reach may still follow the old master.
   */
  private static boolean isStuck(ServerState state, List<ServerState> states) {
    return state.isStopped() && states.stream().noneMatch(ServerState::leftReplication);
  }

  /**
   * While a listed minion takes writes, it was promoted and this map is old. The listed master may
   * then have transactions that the promotion has lost, and the log must not show them.
   */
  private static List<ServerState> withoutDeposed(List<ServerState> all) {
    return all.stream().noneMatch(ServerState::isPromoted)
        ? all
        : all.stream().filter(s -> !s.listedMaster()).toList();
  }

  private boolean preferred(ServerState state) {
    return state.isReplica() != wantsMaster;
  }

  /** What a minion shows is never taken back, so nothing speaks for waiting. */
  private boolean isOver(Duration away) {
    return wantsMaster || patience.map(p -> away.compareTo(p) >= 0).orElse(false);
  }

  /** Whether waiting may end with this one, though others turn the task away. */
  private boolean mayStillDo(ServerState state, Optional<GtidSet> passed) {
    return !state.refused()
        && (preferred(state) || wantsMaster || patience.isPresent())
        && canStillCome(state, passed);
  }

  private static boolean canStillCome(ServerState state, Optional<GtidSet> passed) {
    return passed.map(gtids -> !state.hasPurgedAfter(gtids)).orElse(true);
  }

  private String secondBest(
      ServerState server, List<ServerState> states, Optional<GtidSet> passed) {
    if (wantsMaster) {
      return server.describe() + " while the master can't be read: " + problems(states, passed);
    }
    return "%s, for no minion can be read: %s; what it shows may be taken back by a promotion"
        .formatted(server.describe(), problems(states, passed));
  }

  private String problems(List<ServerState> states, Optional<GtidSet> passed) {
    var problems = listProblems(states, passed);
    return problems.isEmpty() ? "the topology lists none" : problems;
  }

  private String listProblems(List<ServerState> states, Optional<GtidSet> passed) {
    return states.stream()
        .filter(s -> !passed.map(s::canGoOnFrom).orElse(s.answer().isPresent()) || promoted(s))
        .map(s -> s.describe() + " " + problem(s, passed))
        .collect(Collectors.joining("; "));
  }

  private static boolean promoted(ServerState state) {
    return !state.listedMaster() && !state.isReplica();
  }

  private static String problem(ServerState state, Optional<GtidSet> passed) {
    if (state.answer().isEmpty()) {
      return (state.refused() ? "refuses" : "does not answer") + " (" + state.problem() + ")";
    }
    if (passed.map(state::canGoOnFrom).orElse(true)) {
      return "is no replica any more";
    }
    var gtids = passed.orElseThrow();
    return state.hasPurgedAfter(gtids)
        ? "has purged " + state.answer().orElseThrow().purged().without(gtids).brief()
        : "lacks " + gtids.without(state.answer().orElseThrow().executed()).brief();
  }

  private String diverged(ServerState state, GtidSet passed) {
    return """
    cluster %s: %s lacks transactions whose cells the log has shown: %s. A failover has lost \
    them, a server comes from a backup, or somebody has changed a minion by hand. In a mesh \
    `cellmesh dc back` brings such cells back. `cellmesh log rebuild --cluster %s` writes \
    the cells that are there once more and goes on from there; `cellmesh log rebuild \
    --delete-old` also takes the lost ones out of the log\
    """
        .formatted(
            cluster,
            state.describe(),
            passed.without(state.answer().orElseThrow().executed()),
            cluster);
  }

  private Decision read(ServerState state, boolean second, String note) {
    return tags(state).isEmpty()
        ? new Read(state.server(), second, note)
        : new Stop(tagged(state), MOMENT);
  }

  private static GtidSet tags(ServerState state) {
    return state.answer().map(a -> a.executed().tagged()).orElse(GtidSet.EMPTY);
  }

  private String tagged(ServerState state) {
    return """
    cluster %s: %s has executed transactions whose GTIDs have tags: %s. Debezium 3.5, which \
    reads the binlogs, can't read sets with tags, and a server keeps them for good. Find who \
    sets GTID_NEXT = 'AUTOMATIC:tag' and end that (no user of Cellmesh's needs the right \
    TRANSACTION_GTID_TAG). Then let the master begin a new history with RESET BINARY LOGS AND \
    GTIDS, make its minions anew with `cellmesh minion add`, and run `cellmesh log rebuild \
    --cluster %s`: the cells stay where they are\
    """
        .formatted(cluster, state.describe(), tags(state).brief(), cluster);
  }

  private String purged(List<ServerState> states, GtidSet passed) {
    return """
    cluster %s: no server has the binlogs any more that come after the log's last transaction: \
    %s. `cellmesh log rebuild --cluster %s` reads the cells from the entity tables and goes on \
    from there\
    """
        .formatted(cluster, problems(states, Optional.of(passed)), cluster);
  }
}
