package io.cellmesh.operations.promotion;

import io.cellmesh.cell.GtidSet;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.connect.client.Waiting;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.OperationListener;
import io.cellmesh.operations.topology.ServerAnswer;
import io.cellmesh.operations.topology.ServerInquiry;
import io.cellmesh.storage.replication.Replication;
import io.cellmesh.storage.replication.ServerRole;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/**
 * The part of a promotion that can be undone: the old master takes no writes any more, and the
 * candidate gets all that it can get and is compared with the others and the log.
 */
final class CandidateCatchUp {
  private static final Duration STALL = Duration.ofSeconds(20);
  private static final Duration POLL = Duration.ofMillis(100);

  private final ServerInquiry servers;
  private final LogProgress log;
  private final StorageCluster cluster;
  private final Server candidate;
  private final Consumer<String> remark;

  /**
   * @param remark told what a person should know
   */
  CandidateCatchUp(
      ServerInquiry servers,
      LogProgress log,
      StorageCluster cluster,
      Server candidate,
      Consumer<String> remark) {
    this.servers = servers;
    this.log = log;
    this.cluster = cluster;
    this.candidate = candidate;
    this.remark = remark;
  }

  /**
   * Brings the candidate as far as the old master and the log have come.
   *
   * @param wasOpen whether the old master took writes, and so has all that the log has shown
   * @return what the servers are when the candidate has all that it can get
   * @throws OperationException if it must not be promoted; {@link #restore} then undoes what was
   *     done
   */
  Map<Server, ServerAnswer> run(
      PromotionPlan plan, boolean wasOpen, OperationListener steps, Consumer<Stage> done)
      throws Exception {
    var old = cluster.master();
    if (plan.oldMasterAnswers()) {
      steps.run(
          "fence the old master " + old.address(),
          step -> {
            servers.change(old, Replication::fence);
            step.result("the old master " + old.address() + " takes no writes any more");
          });
    }
    done.accept(Stage.FENCE);
    if (!plan.oldMasterAnswers()) {
      steps.run(
          "cut the minions off from " + old.address(),
          step -> {
            for (var minion : cluster.minions()) {
              if (follows(minion)) {
                servers.change(minion, Replication::stopReceiving);
              }
            }
          });
    }
    done.accept(Stage.CUT_OFF);
    steps.run(candidate.address() + " commits what it has received", step -> apply(plan, step));
    done.accept(Stage.APPLY);
    var compared =
        steps.call(
            "compare it with the other minions and the log",
            step -> {
              if (!wasOpen) {
                log.flush().ifPresent(remark);
              }
              var roles = servers.roles(cluster.servers());
              plan.refuseLessThanOthers(roles);
              var executed = servers.answering(candidate).executed();
              refuseLessThanTheLog(executed);
              step.result(
                  "%s has %d transactions: all that the other minions and the log have"
                      .formatted(candidate.address(), executed.count()));
              return roles;
            });
    done.accept(Stage.COMPARE);
    return compared;
  }

  /**
   * @param has what the candidate has
   * @throws OperationException if the log has shown more (invariant 8)
   */
  void refuseLessThanTheLog(GtidSet has) {
    var missing = log.shown().without(has);
    if (!missing.isEmpty()) {
      throw OperationException.refused(
          "%s lacks %d transactions whose cells the log has shown: %s. A promotion would take them back. Promote another minion, or bring the old master back, start replication on %s and run this again"
              .formatted(
                  candidate.address(), missing.count(), missing.brief(), candidate.address()));
    }
  }

  /**
   * Does what can be undone. Whatever ends it, an error of Kafka's as well, all is made as it was
   * before; else the old master would stay fenced, and nobody would take writes.
   *
   * @param wasOpen whether the old master took writes
   */
  <T> T undoing(PromotionPlan plan, boolean wasOpen, Callable<T> work) throws Exception {
    try {
      return work.call();
    } catch (Exception e) {
      restore(plan, wasOpen, e);
      throw e;
    }
  }

  /**
   * Makes all as it was before; what can't be restored is told with the cause.
   *
   * @param wasOpen whether the old master took writes
   */
  void restore(PromotionPlan plan, boolean wasOpen, Exception cause) {
    if (wasOpen) {
      attempt(cause, () -> servers.change(cluster.master(), Replication::open));
    }
    for (var minion : plan.oldMasterAnswers() ? List.of(candidate) : cluster.minions()) {
      attempt(
          cause,
          () -> {
            if (servers.isReplica(minion)) {
              servers.change(minion, Replication::receive);
            }
          });
    }
  }

  private void apply(PromotionPlan plan, OperationListener.Step step)
      throws SQLException, InterruptedException {
    if (!follows(candidate)) {
      return;
    }
    GtidSet wanted;
    if (plan.oldMasterAnswers()) {
      wanted = servers.role(cluster.master()).executed();
      servers.change(candidate, Replication::receive);
    } else {
      servers.change(candidate, Replication::apply);
      wanted = servers.role(candidate).has();
    }
    var last =
        Waiting.whileItMoves(
            STALL,
            POLL,
            () -> {
              var lack = Lack.of(servers.role(candidate), wanted);
              step.detail(lack.missing().count() + " transactions left");
              return lack;
            },
            Lack::missing,
            (lack, moved) -> lack.missing().isEmpty() || lack.isFinal());
    if (!last.missing().isEmpty()) {
      throw OperationException.failed(lacking(plan, last.missing(), last.error()));
    }
  }

  /** A candidate that says nothing may follow all the same, and get more than it is compared by. */
  private boolean follows(Server minion) {
    return minion.equals(candidate)
        ? servers.answering(minion).isReplica()
        : servers.isReplica(minion);
  }

  /**
   * What the candidate still has to apply.
   *
   * @param error of its applier, in MySQL's words; empty if there is none
   */
  private record Lack(GtidSet missing, boolean applies, String error) {
    static Lack of(ServerRole role, GtidSet wanted) {
      return new Lack(
          wanted.without(role.executed()),
          role.following().map(ServerRole.Following::applies).orElse(false),
          role.following().map(ServerRole.Following::error).orElse(""));
    }

    /** Whether waiting is in vain: the applier has stopped with an error. */
    boolean isFinal() {
      return !error.isEmpty() && !applies;
    }
  }

  private String lacking(PromotionPlan plan, GtidSet missing, String error) {
    return "%s lacks %d transactions that %s, and does not get on: %s%s. Look at SHOW REPLICA STATUS there, or promote another minion"
        .formatted(
            candidate.address(),
            missing.count(),
            plan.oldMasterAnswers()
                ? "the old master " + cluster.master().address() + " has"
                : "it has received",
            missing.brief(),
            error.isEmpty() ? "" : "; it says: " + error);
  }

  private interface Attempt {
    void run() throws SQLException;
  }

  private static void attempt(Exception cause, Attempt attempt) {
    try {
      attempt.run();
    } catch (SQLException | OperationException e) {
      cause.addSuppressed(e);
    }
  }
}
