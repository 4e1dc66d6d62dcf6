package io.cellmesh.worker.read;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.CellLookup.Answer;
import io.cellmesh.storage.CellLookup.Ask;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.Position;
import io.cellmesh.worker.load.Deadline;
import io.cellmesh.worker.load.DeadlineException;
import io.cellmesh.worker.load.OverloadedException;
import io.cellmesh.worker.load.Priority;
import io.cellmesh.worker.load.UnavailableException;
import io.cellmesh.worker.read.CellReads.Means;
import io.cellmesh.worker.read.CellReads.Terms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * One read on its way from server to server, round after round: one is asked when the one before it
 * gave no answer that will do. Beside a server that keeps a read waiting, which need not be the
 * master's, another one is asked once ({@link Hedging}); then the first answer that will do counts,
 * and neither is waited for that is not needed. Thread-safe.
 */
final class Reading {
  /** How long the servers that are meant are waited for, before others are asked as well. */
  private static final Duration OWN_TURN = Duration.ofMillis(50);

  private static final Duration UNTIL_ASKED_AGAIN = Duration.ofMillis(5);

  /** While no server answers; breakers are tried again in the background. */
  private static final Duration UNTIL_TRIED_AGAIN = Duration.ofMillis(100);

  private final Means means;
  private final String cluster;
  private final List<? extends Ask> asks;
  private final Terms terms;
  private final int turn;
  private final Set<Integer> partitions;
  private final CompletableFuture<Served> result = new CompletableFuture<>();
  private final long begun;

  // Guarded by this; the first four are of the round that is under way.
  private final Set<Server> asked = new HashSet<>();
  private int underWay;
  private int failed;
  private int full;
  private final List<CompletableFuture<Answer>> answers = new ArrayList<>();
  private Optional<Server> hedge = Optional.empty();
  private boolean mayHedge;
  private String why = "no server has answered yet";

  /** Whether something was absent beside the position, and is looked for once more. */
  private volatile boolean again;

  /**
   * @param turn which spreads reads over servers
   */
  Reading(Means means, String cluster, List<? extends Ask> asks, Terms terms, int turn) {
    this.means = means;
    this.cluster = cluster;
    this.asks = asks;
    this.terms = terms;
    this.turn = turn;
    this.begun = means.clock().getAsLong();
    this.mayHedge = terms.from() != ReadFrom.MASTER;
    var shards = means.map().current().shards();
    this.partitions =
        asks.stream()
            .map(ask -> shards.partitionOf(shards.of(ask.rowKey())))
            .collect(Collectors.toSet());
  }

  /**
   * Asks the first server; on this thread, if it is the master's answer that is wanted, for then
   * nobody else is asked meanwhile.
   */
  CompletableFuture<Served> begin() {
    if (mayHedge) {
      means.hedging().begins(cluster);
      endInTime();
      next(means.servers()::look);
    } else {
      next(means.servers()::lookHere);
      endInTime();
    }
    return result;
  }

  private void endInTime() {
    if (result.isDone()) {
      return;
    }
    long left = terms.deadline().left().toNanos();
    var end = means.timer().schedule(this::late, left, TimeUnit.NANOSECONDS);
    result.whenComplete(
        (served, e) -> {
          end.cancel(false);
          forget();
        });
  }

  private void late() {
    result.completeExceptionally(
        new UnavailableException("no answer within the deadline: " + why()));
  }

  private synchronized String why() {
    return why;
  }

  /** How a server is asked. */
  @FunctionalInterface
  private interface Asking {
    CompletableFuture<Answer> ask(
        Server server,
        Topology topology,
        Collection<Integer> partitions,
        List<? extends Ask> asks,
        Priority priority,
        Deadline deadline);
  }

  private void goOn() {
    next(means.servers()::look);
  }

  /**
   * Nobody is under way.
   *
   * @param ofMaster how the master is asked, if it is the next
   */
  private void next(Asking ofMaster) {
    if (result.isDone()) {
      return;
    }
    var owner = means.map().current().cluster(cluster);
    var server = choose(owner);
    if (server.isEmpty()) {
      endRound();
    } else if (server.get().equals(owner.master())) {
      ask(owner, server.get(), ofMaster);
    } else {
      means.samples().fresh(owner).whenComplete((sample, e) -> ask(owner, server.get()));
    }
  }

  private synchronized Optional<Server> choose(StorageCluster owner) {
    var plan = plan(owner);
    boolean waited = means.clock().getAsLong() - begun >= OWN_TURN.toNanos();
    boolean all = waited || failed + full >= plan.first().size();
    var server = untried(all ? plan.all() : plan.first());
    server.ifPresent(this::begins);
    return server;
  }

  private ReadPlan plan(StorageCluster owner) {
    boolean waits = !terms.notBefore().isEmpty();
    return ReadPlan.of(terms.from(), owner, means.servers()::healthy, waits, turn);
  }

  private Optional<Server> untried(List<Server> order) {
    return order.stream().filter(server -> !asked.contains(server)).findFirst();
  }

  private void begins(Server server) {
    asked.add(server);
    underWay++;
  }

  private void endRound() {
    int size;
    int gone;
    boolean allFull;
    synchronized (this) {
      size = asked.size();
      gone = failed + full;
      allFull = full == size;
      asked.clear();
      failed = 0;
      full = 0;
    }
    if (allFull) {
      result.completeExceptionally(new OverloadedException(why()));
      return;
    }
    var pause = gone == size ? UNTIL_TRIED_AGAIN : UNTIL_ASKED_AGAIN;
    means.timer().schedule(this::goOn, pause.toNanos(), TimeUnit.NANOSECONDS);
  }

  private void ask(StorageCluster owner, Server server) {
    ask(owner, server, means.servers()::look);
  }

  private void ask(StorageCluster owner, Server server, Asking asking) {
    long sent = means.clock().getAsLong();
    CompletableFuture<Answer> answer;
    try {
      answer =
          asking.ask(
              server,
              means.map().current(),
              positionsOf(owner, server),
              asks,
              terms.priority(),
              terms.deadline());
    } catch (OverloadedException e) {
      isFull(e.getMessage() + " has too much to do");
      return;
    }
    synchronized (this) {
      // A server that has yet to come to the position is asked hundreds of times, for all bodies.
      answers.removeIf(CompletableFuture::isDone);
      answers.add(answer);
    }
    if (result.isDone()) {
      forget();
      return;
    }
    hedgeLater(owner, server, answer);
    answer.whenComplete(
        (said, e) -> heard(owner, server, said, e, means.clock().getAsLong() - sent));
  }

  /** A master lacks nothing, so of it they are asked only for what a write is waited for. */
  private Set<Integer> positionsOf(StorageCluster owner, Server server) {
    return server.equals(owner.master()) && terms.notBefore().isEmpty() ? Set.of() : partitions;
  }

  private void heard(
      StorageCluster owner, Server server, Answer said, Throwable e, long tookNanos) {
    boolean second = isHedge(server);
    if (e == null || e instanceof CancellationException && !second) {
      // One that was given up would have taken longer still.
      means.hedging().took(server, asks.size(), tookNanos);
    }
    if (said != null) {
      means.map().saw(said.epochs());
    }
    if (result.isDone()) {
      return;
    }
    if (e instanceof DeadlineException) {
      late();
    } else if (e instanceof UnavailableException || e != null && second) {
      // A hedge makes no read fail that would not without it.
      hasFailed(e.getMessage());
    } else if (e != null) {
      result.completeExceptionally(e);
    } else if (!passed(said)) {
      ends(server.address() + " has not come to the position yet");
    } else if (!again && isShort(said)) {
      again = true;
      ends(server.address() + " has come to the position, and not to all that was asked for");
    } else {
      answered(second, served(owner, server, said));
    }
  }

  /**
   * Whether something is absent although the position has passed. It is looked for once more: what
   * was committed before a look began is in it.
   */
  private boolean isShort(Answer said) {
    return said.found().stream().anyMatch(List::isEmpty)
        && partitions.stream().anyMatch(terms.notBefore()::containsKey);
  }

  private void answered(boolean second, Served served) {
    if (result.complete(served) && hedged()) {
      means.hedging().ended(second ? Hedging.Outcome.WON : Hedging.Outcome.LOST);
    }
  }

  private void isFull(String reason) {
    synchronized (this) {
      full++;
    }
    ends(reason);
  }

  private void hasFailed(String reason) {
    synchronized (this) {
      failed++;
    }
    ends(reason);
  }

  /** Goes on to the next server, unless another one may still answer. */
  private void ends(String reason) {
    boolean last;
    synchronized (this) {
      why = reason;
      last = --underWay == 0;
    }
    if (last) {
      goOn();
    }
  }

  private void hedgeLater(StorageCluster owner, Server first, CompletableFuture<Answer> answer) {
    if (answer.isDone()) {
      return;
    }
    var second = second(owner);
    if (second.isEmpty()) {
      return;
    }
    boolean toMaster = second.get().equals(owner.master());
    var delay = means.hedging().delay(first, asks.size(), toMaster);
    var later =
        means.timer().schedule(() -> hedge(owner, answer), delay.toNanos(), TimeUnit.NANOSECONDS);
    answer.whenComplete((said, e) -> later.cancel(false));
  }

  /** Whom to ask beside those that were asked; empty if nobody, or the read was hedged already. */
  private synchronized Optional<Server> second(StorageCluster owner) {
    return mayHedge
        ? untried(plan(owner).all()).filter(means.servers()::healthy)
        : Optional.empty();
  }

  private void hedge(StorageCluster owner, CompletableFuture<Answer> first) {
    Optional<Server> second;
    synchronized (this) {
      second = second(owner).filter(server -> !first.isDone() && !result.isDone());
      if (second.isEmpty()) {
        return;
      }
      mayHedge = false;
      if (!allowed(owner, second.get())) {
        means.hedging().ended(Hedging.Outcome.CAPPED);
        return;
      }
      hedge = second;
      begins(second.get());
    }
    ask(owner, second.get());
  }

  /** Where it would have to wait, a hedge makes others wait. */
  private boolean allowed(StorageCluster owner, Server second) {
    return means.servers().idle(second)
        && means.hedging().allows(cluster, second.equals(owner.master()));
  }

  private synchronized boolean hedged() {
    return hedge.isPresent();
  }

  private synchronized boolean isHedge(Server server) {
    return hedge.filter(server::equals).isPresent();
  }

  /** What is not begun yet is spared its server. */
  private void forget() {
    List<CompletableFuture<Answer>> all;
    synchronized (this) {
      all = List.copyOf(answers);
    }
    all.forEach(answer -> answer.cancel(false));
  }

  private boolean passed(Answer said) {
    return partitions.stream()
        .filter(terms.notBefore()::containsKey)
        .allMatch(p -> position(said, p).of(IngestTopic.CELLS) > terms.notBefore().get(p));
  }

  private Served served(StorageCluster owner, Server server, Answer said) {
    boolean master = server.equals(owner.master());
    if (master && means.map().isCurrent(owner)) {
      return said.readOnly()
          ? Served.byClosedMaster(owner, server, said.found())
          : Served.byMaster(owner, server, said.found());
    }
    var positions = new HashMap<Integer, Position>();
    partitions.forEach(p -> positions.put(p, position(said, p)));
    var stale = master ? Optional.<Duration>empty() : means.samples().staleUpTo(owner, positions);
    return Served.byMinion(owner, server, stale, said.found());
  }

  private static Position position(Answer said, int partition) {
    return said.positions().getOrDefault(partition, Position.START);
  }
}
