package io.cellmesh.stack.chaos;

import io.cellmesh.connect.client.Waiting;
import io.cellmesh.devstack.NetworkPath;
import io.cellmesh.operations.OperationListener;
import io.cellmesh.operations.OperationListener.Step;
import io.cellmesh.operations.status.Pipeline;
import io.cellmesh.operations.status.PipelineHop;
import io.cellmesh.operations.status.Quiescence;
import io.cellmesh.operations.verify.IngestArchive;
import io.cellmesh.operations.verify.Verification;
import io.cellmesh.operations.verify.Verifier;
import io.cellmesh.stack.Stack;
import io.cellmesh.stack.chaos.Recovery.NotRecoveredException;
import io.cellmesh.storage.EntityCounts;
import io.cellmesh.storage.Pools;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.kafka.common.KafkaException;

/**
 * Strikes a stack by a schedule while known cells and odd ones flow, lets it heal, and proves what
 * became of every record. Nothing stays in Kafka that the sink has passed. One server at a time is
 * lost for good, and the next faults wait until cells are in time again.
 */
public final class Chaos implements AutoCloseable {
  /** What is not back by then does not come back. */
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private static final Duration LOOK = Duration.ofMillis(200);

  /** What the servers may write until all is verified. */
  private static final long ROOM_BYTES = 1L << 30;

  private final Stack stack;
  private final OperationListener steps;
  private final int atOnce;
  private final List<Site> sites = new ArrayList<>();
  private final Recovery recovery = new Recovery(sites);
  private final ProofReader proof;
  private final Calm calm = new Calm();
  private final List<Struck> faults = new ArrayList<>();
  private final List<String> broken = new ArrayList<>();
  private int number = 1;

  /**
   * Begins to watch.
   *
   * @param stack whose data centres have two Connect workers or more each and three storage
   *     clusters, of which one can be missed, if one is struck; and a worker that serves HTTP, an
   *     index and a trigger, or none of them
   * @param atOnce how many faults may be under way at a time
   * @param steps told of each fault
   */
  public Chaos(Stack stack, int atOnce, OperationListener steps) throws IOException {
    this.stack = stack;
    this.atOnce = atOnce;
    this.steps = steps;
    for (var dc : stack.devStack().datacenters()) {
      sites.add(Site.watch(stack, dc));
    }
    this.proof = ProofReader.start(stack.deployment());
  }

  /**
   * Runs for a time; the faults that are under way by then come to their end, and then everything
   * is waited for and verified.
   *
   * @param load of each data centre
   * @param seed of the cells' keys
   * @param exactlyOnce whether the sources are
   * @param strict whether a recovery that took too long fails the run
   */
  public ChaosResult run(
      Schedule schedule, Duration time, Load load, long seed, boolean exactlyOnce, boolean strict)
      throws Exception {
    sites.forEach(site -> site.load(load, seed, sites));
    if (!load.rise().isZero()) {
      steps.run("more and more cells flow", step -> Thread.sleep(load.rise().toMillis()));
    }
    steps.run("cells flow", step -> recovery.await(System.nanoTime(), PATIENCE, step::detail));
    calm.begins(System.nanoTime());
    if (schedule.takesDataCenters() && sites.size() > 2) {
      var quiet = min(OthersHop.BEFORE, time.dividedBy(6));
      steps.run("nothing is struck, to compare with", step -> Thread.sleep(quiet.toMillis()));
    }
    long begun = System.nanoTime();
    noteLackOfRoom();
    while (System.nanoTime() - begun < time.toNanos() && broken.isEmpty()) {
      strike(schedule, begun);
      sites.forEach(Site::checkProducers);
      noteLackOfRoom();
    }
    sites.forEach(Site::stop);
    long end = System.nanoTime();
    for (var site : sites) {
      if (site.cells().acknowledged() == 0) {
        broken.add(
            "Kafka acknowledged no cell at all in " + site.name() + ", so nothing is proven");
      }
      if (site.readers().isPresent() && site.sessions().reads() == 0) {
        broken.add("no read was answered in " + site.name() + ", so reads are not proven");
      }
    }
    readers().forEach(each -> broken.addAll(each.sessions().offences()));
    steps.run("everything heals", step -> heal());
    var behind = steps.call("all cells everywhere", this::quiet);
    if (!readers().isEmpty()) {
      steps.run("the triggers", step -> awaitTriggers());
    }
    behind.forEach(hop -> broken.add("still behind: " + hop));
    var agreed = agreed();
    for (var site : sites) {
      site.retention().awaitArchived();
    }
    var accounts = steps.call("what became of each record", step -> count());
    var verification = steps.call("verify", this::verify);
    return new ChaosResult(
        exactlyOnce,
        strict,
        faults,
        Duration.ofNanos(end - begun),
        sites.stream().mapToLong(Site::acknowledged).sum(),
        sites.stream().mapToLong(site -> site.cells().conflicts()).sum(),
        sites.stream().mapToLong(site -> site.retention().deleted()).sum(),
        sessions(),
        accounts,
        longest(sites.stream().map(site -> site.longest(begun)).toList()),
        longest(sites.stream().map(site -> site.log().longest()).toList()),
        agreed,
        broken,
        verification);
  }

  /** Servers without room stand still, and what is waited for then says nothing. */
  private void noteLackOfRoom() throws IOException {
    var directory = stack.devStack().stateDir();
    long left = Files.getFileStore(directory).getUsableSpace();
    if (left < ROOM_BYTES) {
      broken.add(
          "the run ended early: %d MiB are left where %s is, and %d are needed; --state names another directory"
              .formatted(left >> 20, directory, ROOM_BYTES >> 20));
    }
  }

  /** How long after the last cell all data centres have proved to agree; empty of a single one. */
  private Optional<Duration> agreed() throws Exception {
    if (sites.size() == 1) {
      return Optional.empty();
    }
    long since = System.nanoTime();
    try {
      return Optional.of(
          steps.call(
              "the data centres prove that they agree",
              step -> ProvedAgreement.watch(proof, since, Map.of()).await(PATIENCE, step::detail)));
    } catch (NotRecoveredException e) {
      broken.add(e.getMessage());
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    proof.close();
    sites.forEach(Site::close);
    NetworkPath.closeAll();
  }

  private void strike(Schedule schedule, long begun) throws Exception {
    var round = Round.next(schedule, sites, atOnce, atOnce == 1 ? Duration.ZERO : PATIENCE);
    Thread.sleep(round.pause().toMillis());
    var label = round.label(number);
    try {
      faults.addAll(steps.call(label, step -> strike(round, begun, step)));
    } catch (NotRecoveredException | IOException | SQLException | RuntimeException e) {
      broken.add(label + ": " + e.getMessage());
    }
    number += round.faults().size();
    for (var site : sites) {
      site.victims().failed().forEach(line -> broken.add("after %s: %s".formatted(label, line)));
    }
  }

  private List<Struck> strike(Round round, long begun, Step step) throws Exception {
    step.detail("under way");
    var before = sessions();
    calm.ends(System.nanoTime());
    var times = round.strike();
    var written = sites.stream().collect(Collectors.toMap(Site::name, site -> site.log().own()));
    long since = begun;
    for (int i = 0; i < times.size(); i++) {
      since = Math.max(since, times.get(i).of(round.faults().get(i).kind().clock()));
    }
    step.detail("recovering");
    var proving = proving(round, times, written);
    var recovered = recovery.await(since, PATIENCE, step::detail);
    var afterwards = round.faults().stream().filter(Fault::leavesWork).toList();
    for (var fault : afterwards) {
      fault.after().run();
    }
    if (!afterwards.isEmpty()) {
      recovery.await(System.nanoTime(), PATIENCE, step::detail);
    }
    Optional<Duration> agreed =
        proving.isEmpty()
            ? Optional.empty()
            : Optional.of(proving.get().await(PATIENCE, step::detail));
    var struck = struck(round, times, begun, recovered, agreed, sessions().since(before));
    for (var fault : round.faults()) {
      if (fault.kind() == FaultKind.MASTER_LOST) {
        step.detail("buffers are emptied");
        awaitOlderCopiesGone(fault.site().tables());
      }
    }
    step.result(
        String.format(
            Locale.ROOT,
            "%s, recovered %.1f s after %s",
            round.label(number),
            recovered.toMillis() / 1e3,
            round.faults().size() == 1
                ? round.faults().get(0).kind().clock()
                : "the last of them"));
    calm.begins(System.nanoTime());
    return struck;
  }

  /** Of a round that takes a data centre: the proof, from its return on, that all agree. */
  private Optional<ProvedAgreement> proving(
      Round round, List<Round.Times> times, Map<String, Map<Integer, Long>> written) {
    if (round.faults().stream().noneMatch(fault -> fault.kind().takesDataCenter())) {
      return Optional.empty();
    }
    long back = times.stream().mapToLong(Round.Times::back).max().orElseThrow();
    return Optional.of(ProvedAgreement.watch(proof, back, written));
  }

  private List<Struck> struck(
      Round round,
      List<Round.Times> times,
      long begun,
      Duration recovered,
      Optional<Duration> agreed,
      SessionCounts sessions) {
    long now = System.nanoTime();
    var struck = new ArrayList<Struck>();
    for (int i = 0; i < times.size(); i++) {
      var fault = round.faults().get(i);
      var at = times.get(i);
      struck.add(
          new Struck(
              number + i,
              fault.kind(),
              fault.victim(),
              Duration.ofNanos(at.blow() - begun),
              Duration.ofNanos(at.back() - at.blow()),
              recovered,
              round.bound(),
              agreed.filter(proved -> fault.kind().takesDataCenter()),
              sessions,
              fault.kind().takesDataCenter()
                  ? OthersHop.of(sites, fault.site(), calm.latest(OthersHop.BEFORE), at, now)
                  : Optional.empty()));
    }
    return struck;
  }

  /** The next server may be lost only when no cell depends on what was left of the last one. */
  private static void awaitOlderCopiesGone(MasterTables tables)
      throws InterruptedException, NotRecoveredException {
    var youngest = tables.youngestCopies();
    if (!Waiting.within(PATIENCE, LOOK, () -> tables.areGone(youngest))) {
      throw new NotRecoveredException("the buffers keep copies that are older than three minutes");
    }
  }

  private List<Readers> readers() {
    return sites.stream().flatMap(site -> site.readers().stream()).toList();
  }

  private SessionCounts sessions() {
    return sites.stream().map(Site::sessions).reduce(SessionCounts.NONE, SessionCounts::plus);
  }

  private void heal() {
    sites.forEach(site -> site.victims().heal());
  }

  /** What is still behind when all patience is at its end; empty if all is quiet. */
  private List<String> quiet(Step step) throws Exception {
    var deployment = stack.deployment();
    try (var pools = new Pools(deployment.operator());
        var pipeline = new Pipeline(deployment, pools)) {
      var quiescence = new Quiescence(pipeline::hops);
      return Waiting.last(PATIENCE, LOOK, () -> behind(quiescence, step), List::isEmpty);
    }
  }

  /** A server that does not answer may be back at the next look. */
  private static List<String> behind(Quiescence quiescence, Step step) throws InterruptedException {
    try {
      var hops =
          quiescence.await(
              PATIENCE,
              each ->
                  step.detail(
                      each.stream().mapToLong(PipelineHop::behind).sum()
                          + " records on their way"));
      return hops.stream().map(PipelineHop::toString).toList();
    } catch (SQLException | KafkaException e) {
      step.detail(e.getMessage());
      return List.of(e.getMessage());
    }
  }

  /** What a trigger has not had by then it never gets; the count tells. */
  private void awaitTriggers() throws IOException, SQLException, InterruptedException {
    var deployment = stack.deployment();
    try (var pools = new Pools(deployment.operator())) {
      for (var site : sites) {
        var topology = deployment.datacenter(Optional.of(site.name())).topology();
        long cells =
            EntityCounts.byShard(topology, pools).values().stream()
                .mapToLong(Long::longValue)
                .sum();
        site.readers().orElseThrow().trigger().await(cells);
      }
    }
  }

  private List<Account> count() throws IOException, SQLException {
    var expected = sites.stream().collect(Collectors.toMap(Site::name, Site::expected));
    var check = new IndependentCheck(archives(), expected, stack.deployment().datacenters());
    var accounts = check.run();
    broken.addAll(check.offences());
    return accounts;
  }

  private Verification verify(Step step) throws Exception {
    var deployment = stack.deployment();
    long partitions = deployment.shards().partitions();
    var verification =
        new Verifier(deployment, archives()).run(done -> step.progress(done, partitions));
    step.result(verification.passed() ? "verified" : "not verified");
    return verification;
  }

  private Map<String, IngestArchive> archives() {
    return sites.stream().collect(Collectors.toMap(Site::name, site -> site.retention().archive()));
  }

  private static Duration min(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private static Duration longest(List<Duration> durations) {
    return durations.stream().max(Duration::compareTo).orElse(Duration.ZERO);
  }
}
