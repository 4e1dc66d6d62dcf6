package io.cellmesh.worker.position;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.CellKey;
import io.cellmesh.worker.position.Observation.Sight;
import io.cellmesh.worker.position.Outcome.Buffered;
import io.cellmesh.worker.position.Outcome.Conflict;
import io.cellmesh.worker.position.Outcome.Late;
import io.cellmesh.worker.position.Outcome.Rejected;
import io.cellmesh.worker.position.Outcome.Replicated;
import io.cellmesh.worker.position.Outcome.Secured;
import io.cellmesh.worker.position.Outcome.Visible;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Those who wait for cells of one storage cluster, and what an observation tells them (invariant
 * 13). It asks nobody and knows no clock; not thread-safe.
 */
final class WaitingWrites {
  private static final Logger LOG = LoggerFactory.getLogger(WaitingWrites.class);

  /** Of the bodies that are compared at once, which are as large as those of the rows. */
  private static final long MOST_BYTES = 16 << 20;

  private final int mostKeys;
  private final List<Waiter> waiters = new ArrayList<>();

  /** The master's positions as last seen. */
  private final Map<Integer, Long> seen = new HashMap<>();

  private Optional<Outage> outage = Optional.empty();
  private long looks;

  /**
   * @param mostKeys most rows that a question asks for
   */
  WaitingWrites(int mostKeys) {
    this.mostKeys = mostKeys;
  }

  /** A write whose wait is over. */
  record Ended(PendingWrite write, Outcome outcome) {}

  void add(PendingWrite write) {
    waiters.add(new Waiter(write));
  }

  boolean isEmpty() {
    return waiters.isEmpty();
  }

  int size() {
    return waiters.size();
  }

  /**
   * What to look at for all who wait. Rows are dear, and tell nothing before the master has passed
   * their records; so only of those it had when it was last seen they are asked for. If that is
   * more, or are larger ones, than a question takes, they take turns.
   */
  Question question() {
    var offsets = new HashMap<Integer, Long>();
    waiters.forEach(
        waiter -> offsets.merge(waiter.write.partition(), waiter.write.offset(), Math::min));
    return new Question(
        offsets,
        keys(),
        waiters.stream().anyMatch(waiter -> waiter.asksMinions),
        waiters.stream().anyMatch(waiter -> waiter.write.waitFor() == WaitFor.SECURED));
  }

  private List<CellKey> keys() {
    var keys = new LinkedHashSet<CellKey>();
    long bytes = 0;
    var passed = waiters.stream().filter(waiter -> Observation.passed(seen, waiter.write));
    for (var waiter : passed.sorted(Comparator.comparingLong(w -> w.lookedFor)).toList()) {
      var cell = waiter.write.cell();
      if (keys.size() == mostKeys || bytes > MOST_BYTES) {
        break;
      }
      if (keys.add(cell.key())) {
        bytes += cell.body().stored().length;
      }
    }
    return List.copyOf(keys);
  }

  /** Ends the waits of which an observation tells how they end. */
  List<Ended> observe(Observation observation) {
    observation.master().ifPresent(this::saw);
    outage = observation.outage();
    return end(waiter -> told(waiter, observation));
  }

  /**
   * A row that is damaged, or for which memory is short, tells its own writer nothing, and keeps
   * nobody else from being told.
   */
  private static Optional<Outcome> told(Waiter waiter, Observation observation) {
    try {
      return verdict(waiter, observation);
    } catch (RuntimeException | Error e) {
      if (!waiter.puzzled) {
        waiter.puzzled = true;
        LOG.error(
            "the row that partition {} offset {} is about can't be compared with it: {}",
            waiter.write.partition(),
            waiter.write.offset(),
            e.getMessage());
      }
      return Optional.empty();
    }
  }

  private void saw(Sight sight) {
    looks++;
    seen.putAll(sight.next());
    waiters.stream()
        .filter(waiter -> sight.asked().contains(waiter.write.cell().key()))
        .forEach(waiter -> waiter.lookedFor = looks);
  }

  private boolean isNew(Waiter waiter) {
    return waiter.lookedFor == 0 && Observation.passed(seen, waiter.write);
  }

  /**
   * Whether the master takes writes, and was seen to have passed a record whose row was not looked
   * for yet: the next look is likely to end its wait.
   */
  boolean isDue() {
    return outage.isEmpty() && waiters.stream().anyMatch(this::isNew);
  }

  /** Ends the waits whose deadline has come. */
  List<Ended> expire(long now) {
    return end(
        waiter ->
            now - waiter.write.deadline() >= 0 ? Optional.of(late(waiter)) : Optional.empty());
  }

  /** Ends all waits. */
  List<Ended> abandon() {
    return end(waiter -> Optional.of(late(waiter)));
  }

  private Late late(Waiter waiter) {
    return new Late(waiter.reached, outage);
  }

  private List<Ended> end(Judgement judgement) {
    var ended = new ArrayList<Ended>();
    for (Iterator<Waiter> all = waiters.iterator(); all.hasNext(); ) {
      var waiter = all.next();
      var outcome = judgement.of(waiter);
      if (outcome.isPresent()) {
        ended.add(new Ended(waiter.write, outcome.get()));
        all.remove();
      }
    }
    return ended;
  }

  private static Optional<Outcome> verdict(Waiter waiter, Observation observation) {
    var write = waiter.write;
    var sight = observation.master().filter(master -> Observation.passed(master.next(), write));
    if (sight.isPresent()) {
      var key = write.cell().key();
      return sight.get().asked().contains(key)
          ? decided(waiter, Optional.ofNullable(sight.get().rows().get(key)), observation)
          : Optional.empty();
    }
    waiter.absent &= observation.master().isEmpty();
    if (!observation.secured(write)) {
      return Optional.empty();
    }
    waiter.reach(WaitFor.SECURED);
    if (observation.outage().isPresent()) {
      return Optional.of(new Buffered(observation.outage().get()));
    }
    return write.waitFor() == WaitFor.SECURED ? Optional.of(new Secured()) : Optional.empty();
  }

  /** The master has passed the record, so its row says what became of the cell. */
  private static Optional<Outcome> decided(
      Waiter waiter, Optional<Body> row, Observation observation) {
    var write = waiter.write;
    if (row.isEmpty()) {
      // Rejected is rare and makes the writer give up, so it does not rest on one look's snapshot,
      // which MySQL has been seen to break (PositionTable says how, and asks otherwise). What was
      // committed before a look began is in it, so the next one decides.
      boolean twice = waiter.absent;
      waiter.absent = true;
      return twice ? Optional.of(new Rejected(Optional.empty())) : Optional.empty();
    }
    var body = write.cell().body();
    boolean same = row.get().sameAs(body);
    if (same) {
      waiter.reach(WaitFor.VISIBLE);
    }
    if (same && (write.waitFor() != WaitFor.REPLICATED || observation.withoutMinions())) {
      return Optional.of(new Visible());
    }
    boolean everywhere = observation.onAllMinions(write);
    if (same) {
      waiter.asksMinions = true;
      return everywhere ? Optional.of(new Replicated()) : Optional.empty();
    }
    if (observation.minions().isEmpty()) {
      waiter.asksMinions = true;
      return Optional.empty();
    }
    return Optional.of(
        new Conflict(
            row.get().digest(), body.digest(), everywhere || observation.withoutMinions()));
  }

  @FunctionalInterface
  private interface Judgement {
    Optional<Outcome> of(Waiter waiter);
  }

  private static final class Waiter {
    private final PendingWrite write;
    private WaitFor reached = WaitFor.ACCEPTED;

    /** What it waits for depends on them. */
    private boolean asksMinions;

    /** The master was seen to have passed the record, without a row. */
    private boolean absent;

    /** It was logged that its row can't be read. */
    private boolean puzzled;

    /** At which look its row was last looked for; 0 if it never was. */
    private long lookedFor;

    Waiter(PendingWrite write) {
      this.write = write;
    }

    void reach(WaitFor level) {
      if (level.compareTo(reached) > 0) {
        reached = level;
      }
    }
  }
}
