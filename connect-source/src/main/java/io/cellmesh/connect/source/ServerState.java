package io.cellmesh.connect.source;

import io.cellmesh.cell.GtidSet;
import io.cellmesh.cell.Topology.Server;
import java.util.Optional;

/**
 * A server of the cluster as it was at a moment.
 *
 * @param listedMaster whether the topology calls it the master
 * @param at nanoseconds of {@link System#nanoTime}
 * @param answer empty if it did not answer
 * @param problem why it did not; empty text if it did
 * @param refused it answered that this user may not do this, which another attempt does not change
 * @param leftReplication whether it is a minion of the topology that followed nobody when it last
 *     answered: a promotion has begun
 */
record ServerState(
    Server server,
    boolean listedMaster,
    long at,
    Optional<Answer> answer,
    String problem,
    boolean refused,
    boolean leftReplication) {

  /**
   * What it said.
   *
   * @param replica whether it follows another server; a minion that was promoted does not
   * @param applies whether, as a replica, it receives and applies what that server commits
   * @param writable whether clients may write to it
   * @param executed the transactions that it has
   * @param purged those of them that its binlogs no longer hold
   */
  record Answer(
      boolean replica, boolean applies, boolean writable, GtidSet executed, GtidSet purged) {}

  static ServerState answered(Server server, boolean listedMaster, long at, Answer answer) {
    return new ServerState(
        server, listedMaster, at, Optional.of(answer), "", false, !listedMaster && !answer.replica);
  }

  static ServerState silent(
      Server server, boolean listedMaster, long at, String problem, boolean refused) {
    return new ServerState(server, listedMaster, at, Optional.empty(), problem, refused, false);
  }

  /** Returns this state, in which a silence does not unsay what the one before has shown. */
  ServerState after(Optional<ServerState> before) {
    return answer.isPresent()
        ? this
        : new ServerState(
            server,
            listedMaster,
            at,
            answer,
            problem,
            refused,
            before.map(ServerState::leftReplication).orElse(false));
  }

  /** Whether what it shows may be taken back by a promotion of another server. */
  boolean isReplica() {
    return answer.map(Answer::replica).orElse(!listedMaster);
  }

  /** Whether it shows nothing new, because its replication has stopped. */
  boolean isStopped() {
    return answer.filter(a -> a.replica && !a.applies).isPresent();
  }

  /** Whether it has become the master since the topology was written. */
  boolean isPromoted() {
    return leftReplication && answer.filter(Answer::writable).isPresent();
  }

  /**
   * Whether it has left replication and takes no writes: most likely it is about to become the
   * master, and what the listed one alone has will be lost.
   */
  boolean isBetweenRoles() {
    return leftReplication && answer.filter(a -> !a.writable).isPresent();
  }

  /**
   * Whether it began to become the master, takes no writes now, and has all that the log has shown
   * or does not answer.
   */
  boolean mayBeSuccessor(GtidSet passed) {
    return leftReplication
        && answer.map(a -> !a.writable && a.executed.containsAll(passed)).orElse(true);
  }

  /** Whether its binlogs go on from there. */
  boolean canGoOnFrom(GtidSet passed) {
    return answer
        .filter(a -> a.executed.containsAll(passed) && passed.containsAll(a.purged))
        .isPresent();
  }

  /** Whether it has all of it, but no longer all binlogs after it. */
  boolean hasPurgedAfter(GtidSet passed) {
    return answer
        .filter(a -> a.executed.containsAll(passed) && !passed.containsAll(a.purged))
        .isPresent();
  }

  /** Whether transactions are missing there that the cluster must have. */
  boolean contradicts(GtidSet passed) {
    return answer
        .filter(a -> !a.replica && (listedMaster || a.writable) && !a.executed.containsAll(passed))
        .isPresent();
  }

  String describe() {
    return (listedMaster ? "master " : "minion ") + server.address();
  }
}
