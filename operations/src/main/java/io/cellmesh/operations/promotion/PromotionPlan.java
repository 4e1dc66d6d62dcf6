package io.cellmesh.operations.promotion;

import io.cellmesh.cell.GtidSet;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.cell.TopologyException;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.topology.ServerAnswer;
import io.cellmesh.operations.topology.ServerInquiry;
import io.cellmesh.storage.replication.ServerRole;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a promotion has to do; a pure function of what the servers said.
 *
 * @param topology as it is
 * @param cluster as the topology has it
 * @param candidate the server that is to be the master
 * @param epoch of the cluster afterwards
 * @param candidateIsListed whether the topology names it the master already: an earlier promotion
 *     came so far, or it has only been restarted and is to be opened
 * @param candidateIsClaimed whether this very promotion has begun: the candidate follows nobody and
 *     knows its epoch
 * @param oldMasterAnswers whether there is an old master that can be fenced
 */
public record PromotionPlan(
    Topology topology,
    StorageCluster cluster,
    Server candidate,
    int epoch,
    boolean candidateIsListed,
    boolean candidateIsClaimed,
    boolean oldMasterAnswers) {

  /**
   * Decides.
   *
   * @param roles what each server of the cluster said
   * @param epochs those that each cluster's master knows, as far as it answers, and under the
   *     cluster's own name those of the candidate
   * @throws OperationException if it must not be done, naming why and what to do instead
   */
  static PromotionPlan of(
      Topology topology,
      StorageCluster cluster,
      Server candidate,
      Map<Server, ServerAnswer> roles,
      Map<String, Map<String, Integer>> epochs) {
    var answer = roles.get(candidate);
    if (!answer.answered()) {
      throw OperationException.unavailable(
          "%s does not answer: %s".formatted(candidate.address(), answer.silence()));
    }
    var role = answer.role().get();
    boolean listed = candidate.equals(cluster.master());
    var plan =
        new PromotionPlan(
            topology,
            cluster,
            candidate,
            epoch(cluster, listed, role, epochs),
            listed,
            !listed && claimed(cluster, role, epochs),
            !listed && roles.get(cluster.master()).answered());
    plan.refuseSecondMaster(roles);
    if (listed) {
      plan.refuseFollower(role);
    } else {
      plan.refuseCutOff(roles);
      plan.refuseLessThanOthers(roles);
      plan.after(roles);
    }
    return plan;
  }

  /**
   * Every promotion has an epoch of its own: one more than any that somebody has heard of, unless
   * it is this very server's promotion that they have heard of.
   */
  private static int epoch(
      StorageCluster cluster,
      boolean listed,
      ServerRole role,
      Map<String, Map<String, Integer>> epochs) {
    int known = known(cluster, epochs);
    if (listed) {
      if (known > cluster.epoch()) {
        throw OperationException.refused(
            "this topology has epoch %d of %s, but epoch %d has begun: another server was or is being promoted. Use the topology of that promotion, or finish it with the server that it was for"
                .formatted(cluster.epoch(), cluster.name(), known));
      }
      return cluster.epoch();
    }
    return claimed(cluster, role, epochs)
        ? own(cluster, epochs)
        : Math.max(cluster.epoch(), known) + 1;
  }

  private static boolean claimed(
      StorageCluster cluster, ServerRole role, Map<String, Map<String, Integer>> epochs) {
    int own = own(cluster, epochs);
    return !role.isReplica() && own > cluster.epoch() && own >= known(cluster, epochs);
  }

  /** The epoch of the cluster that the candidate knows. */
  private static int own(StorageCluster cluster, Map<String, Map<String, Integer>> epochs) {
    return epochs.getOrDefault(cluster.name(), Map.of()).getOrDefault(cluster.name(), 0);
  }

  /** The highest epoch of the cluster that somebody knows. */
  private static int known(StorageCluster cluster, Map<String, Map<String, Integer>> epochs) {
    return epochs.values().stream()
        .mapToInt(all -> all.getOrDefault(cluster.name(), 0))
        .max()
        .orElse(0);
  }

  /**
   * Another promotion may have ended between the plan and the lock. Its epoch would then be that of
   * this one as well, and two masters of one epoch are what a writer can't tell apart (invariant
   * 10).
   *
   * @param epochs as they are known by now
   * @throws OperationException if the plan is no longer that of what is there
   */
  void refuseOutdated(Map<String, Map<String, Integer>> epochs) {
    boolean begins = !candidateIsListed && !candidateIsClaimed;
    int known = known(cluster, epochs);
    if (known > epoch || (begins && known == epoch)) {
      throw OperationException.refused(
          "epoch %d of %s has begun since this was planned: another server was or is being promoted; look at `cellmesh status`, and run this once more if it is still wanted"
              .formatted(known, cluster.name()));
    }
  }

  /** Adds to a refusal that the old master, which was fenced before, stays so. */
  OperationException stayingFenced(OperationException refusal) {
    return oldMasterAnswers
        ? refusal.adding(
            ". The old master %s was fenced and stays so until this is run once more; else %s opens it again"
                .formatted(cluster.master().address(), command(cluster.master())))
        : refusal;
  }

  /** Another one that takes writes would not stop because of this. */
  private void refuseSecondMaster(Map<Server, ServerAnswer> roles) {
    for (var server : cluster.minions()) {
      boolean open = roles.get(server).role().filter(r -> r.open() && !r.isReplica()).isPresent();
      if (open && !server.equals(candidate)) {
        throw OperationException.refused(
            "%s takes writes as well and follows nobody: a promotion of it has begun. Finish that one first: %s"
                .formatted(server.address(), command(server)));
      }
    }
  }

  private void refuseFollower(ServerRole role) {
    role.following()
        .ifPresent(
            f -> {
              throw OperationException.refused(
                  "%s is the master by the topology, but follows %s: look which of them is right; a server that follows another is not opened"
                      .formatted(candidate.address(), f.address()));
            });
  }

  /**
   * What a living master has a minion still gets from it, unless it was restored from a backup, or
   * follows nobody.
   *
   * @throws OperationException naming what it would lack, and how it becomes a minion again
   */
  private void refuseCutOff(Map<Server, ServerAnswer> roles) {
    if (!oldMasterAnswers || candidateIsClaimed) {
      return;
    }
    var role = roles.get(candidate).role().orElseThrow();
    var executed = roles.get(cluster.master()).role().orElseThrow().executed();
    var lost = role.lost(executed);
    var missing = role.isReplica() ? lost : executed.without(role.has());
    if (!missing.isEmpty()) {
      throw OperationException.refused(
          "%s lacks %d transactions that the master %s has: %s. It gets them no more, since it %s. `cellmesh minion add --cluster %s --server %s` makes it a minion again; then run this once more"
              .formatted(
                  candidate.address(),
                  missing.count(),
                  cluster.master().address(),
                  missing.brief(),
                  lost.isEmpty()
                      ? "follows nobody"
                      : "once committed them itself and was restored from a backup",
                  cluster.name(),
                  candidate.address()));
    }
  }

  /**
   * A closed server that follows nobody may have been restored from a backup. Somebody has to say
   * that it lacks nothing: another server, the log, or else whoever gives the command.
   *
   * @param logSpeaks whether a log can say how far it is
   * @throws OperationException naming what it may come to, and the way on
   */
  void refuseUnproven(Map<Server, ServerAnswer> roles, boolean logSpeaks) {
    var role = roles.get(candidate).role().orElseThrow();
    boolean someoneElse =
        cluster.servers().stream()
            .anyMatch(server -> !server.equals(candidate) && roles.get(server).answered());
    if (role.open() || role.isReplica() || candidateIsClaimed || someoneElse || logSpeaks) {
      return;
    }
    throw OperationException.refused(
        "nothing proves that %s has all that it once had: no other server of %s answers, and none of its sources runs that could tell what the log has shown. If it was restored from a backup or parts of its disk were lost, it would give GTIDs and added_ids that stand for cells already to other cells: the log would skip those in silence, and a minion that comes back would part from it unnoticed. Bring another server of %s back, or a source (`cellmesh log status`), and run this again. Only if you know that it lacks nothing say --has-everything"
            .formatted(candidate.address(), cluster.name(), cluster.name()));
  }

  /**
   * A minion that has more than the candidate must be promoted in its place. What a living master
   * has the candidate can still get.
   *
   * @throws OperationException naming what is missing, who has it, and the command
   */
  void refuseLessThanOthers(Map<Server, ServerAnswer> roles) {
    var has = said(roles, candidate).has();
    if (oldMasterAnswers) {
      has = has.with(said(roles, cluster.master()).executed());
    }
    for (var server : others()) {
      var role = roles.get(server).role();
      var missing = role.map(ServerRole::has).orElse(GtidSet.EMPTY).without(has);
      if (!missing.isEmpty()) {
        throw OperationException.refused(
            "%s lacks %d transactions that %s has: %s. Run %s"
                .formatted(
                    candidate.address(),
                    missing.count(),
                    server.address(),
                    missing.brief(),
                    command(server)));
      }
    }
  }

  private static ServerRole said(Map<Server, ServerAnswer> roles, Server server) {
    var answer = roles.get(server);
    return answer
        .role()
        .orElseThrow(
            () ->
                OperationException.unavailable(
                    "%s does not answer any more: %s"
                        .formatted(server.address(), answer.silence())));
  }

  /**
   * A listed master that lacks what it once had was restored from a backup, or its disk has lost
   * what was written last. Opened, it would give GTIDs and added_ids that stand for cells already
   * to other cells, and whoever has seen the old ones would skip the new ones in silence.
   *
   * @param roles what the minions said
   * @param shown the transactions whose cells the log has shown
   * @param has those that the candidate has, asked for last: an open one goes on meanwhile
   * @throws OperationException naming what is missing, who has it, and the way on
   */
  void refuseRestored(Map<Server, ServerAnswer> roles, GtidSet shown, GtidSet has) {
    for (var minion : cluster.minions()) {
      var missing =
          roles.get(minion).role().map(ServerRole::has).orElse(GtidSet.EMPTY).without(has);
      if (!missing.isEmpty()) {
        throw notWhatItWas(
            missing,
            "its minion %s has".formatted(minion.address()),
            "Run %s, which leaves %s out, and afterwards `cellmesh minion add --cluster %s --server %s --overwrite`, which makes it anew"
                .formatted(
                    command(minion), candidate.address(), cluster.name(), candidate.address()));
      }
    }
    var missing = shown.without(has);
    if (!missing.isEmpty()) {
      throw notWhatItWas(
          missing,
          "the log has shown, and no minion that answers has them",
          "If a server has them that does not answer now, bring it back and promote that. Else they are lost here: stop %s, delete auto.cnf in its data directory and give it another server_id, so that it is a server of its own, and start it; then, in a mesh, `cellmesh dc back` brings back what the others and the log have of its cells; else let the log begin anew with `cellmesh log rebuild --cluster %s` and run this again"
              .formatted(candidate.address(), cluster.name()));
    }
  }

  private OperationException notWhatItWas(GtidSet missing, String who, String way) {
    return OperationException.refused(
        "%s is the master by the topology, but lacks %d transactions that %s: %s. It is not what it was: restored from a backup, or parts of its disk were lost. Opened, it would give their GTIDs and added_ids to other cells. %s"
            .formatted(candidate.address(), missing.count(), who, missing.brief(), way));
  }

  /** The minions beside the candidate. */
  List<Server> others() {
    return cluster.minions().stream().filter(server -> !server.equals(candidate)).toList();
  }

  /**
   * The topology afterwards. An old master that is fenced and not {@link #astray} stays as a
   * minion; any other is left out: it has to be made anew before it may come back.
   *
   * @throws OperationException if some cluster's cells could then be copied to nowhere
   */
  Topology after(Map<Server, ServerAnswer> roles) {
    if (candidateIsListed) {
      return topology;
    }
    var minions = new ArrayList<>(others());
    if (roles.get(cluster.master()).answered() && astray(roles).isEmpty()) {
      minions.add(cluster.master());
    }
    var after = promoted(minions);
    try {
      return after.requireSecondaries();
    } catch (TopologyException e) {
      throw OperationException.refused(
          "%s stands in the domain %s, and with it as the master %s"
              .formatted(candidate.address(), candidate.domain(), e.getMessage()));
    }
  }

  /** Why an old master that answers can't follow the candidate, in words; empty if it can. */
  Optional<String> astray(Map<Server, ServerAnswer> roles) {
    var executed = roles.get(candidate).role().orElseThrow().has();
    var old = roles.get(cluster.master()).role().orElseThrow();
    var more = old.executed().without(executed);
    if (!more.isEmpty()) {
      return Optional.of("has transactions that the new master lacks (%s)".formatted(more.brief()));
    }
    var lost = old.lost(executed);
    return lost.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "lacks what it once committed itself (%s), so it was restored from a backup"
                .formatted(lost.brief()));
  }

  private Topology promoted(List<Server> minions) {
    return ServerInquiry.with(
        topology, new StorageCluster(cluster.name(), cluster.shards(), epoch, candidate, minions));
  }

  /** What is worse afterwards, in words: clusters whose copies only one other cluster can take. */
  public List<String> warnings() {
    var after = promoted(others());
    var all = new ArrayList<String>();
    for (var primary : after.clusters()) {
      var left = after.secondariesOf(primary);
      if (left.size() == 1 && before(primary) > 1) {
        all.add(
            "with %s in the domain %s only %s can take copies of %s: while its master is down no cell of %s is secured"
                .formatted(
                    candidate.address(),
                    candidate.domain(),
                    left.get(0).name(),
                    primary.name(),
                    primary.name()));
      }
    }
    return all;
  }

  private int before(StorageCluster primary) {
    return topology.secondariesOf(topology.cluster(primary.name())).size();
  }

  /** How to promote a server of the cluster. */
  String command(Server server) {
    return "`cellmesh promote --cluster %s --to %s`".formatted(cluster.name(), server.address());
  }

  /** The steps that are left, in words. */
  public List<String> intentions() {
    var all = new ArrayList<String>();
    if (!candidateIsListed) {
      all.add(
          oldMasterAnswers
              ? "fence the old master %s: it takes no more writes, what is under way is rolled back"
                  .formatted(cluster.master().address())
              : "leave the old master %s behind, which does not answer; no minion takes anything more from it"
                  .formatted(cluster.master().address()));
      all.add(
          "wait until %s has committed all that it %s, and compare it with the other minions and the log"
              .formatted(candidate.address(), oldMasterAnswers ? "can get" : "has received"));
      all.add("take it out of replication, with epoch %d of %s".formatted(epoch, cluster.name()));
      all.add(
          "let added_ids go on in a range of their own, in %d shards"
              .formatted(cluster.shards().stream().count()));
    }
    all.add("tell epoch %d of %s to the other clusters".formatted(epoch, cluster.name()));
    if (!candidateIsListed) {
      all.add("write the topology: %s is the master".formatted(candidate.address()));
    }
    all.add("open %s for writes".formatted(candidate.address()));
    all.add("let the other minions follow it");
    all.add("give the connectors the topology");
    return Collections.unmodifiableList(all);
  }
}
