package io.cellmesh.triggers;

import io.cellmesh.topics.trigger.MemberHealth;
import io.cellmesh.topics.trigger.StateKey;
import io.cellmesh.topics.trigger.StateRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides with the other processes of a trigger whether it halts, since one of many sees few
 * shards: each tells the others in the state topic what failed.
 */
final class Members {
  /** The partition of the state topic in which they meet. */
  static final int PARTITION = 0;

  private static final Logger LOG = LoggerFactory.getLogger(Members.class);
  private static final Duration EVERY = Duration.ofSeconds(1);

  /** Whoever has said nothing for so long says nothing more; far beyond what clocks differ by. */
  private static final Duration GONE = Duration.ofHours(1);

  private final TriggerOptions options;
  private final Halting halting;
  private final Notebook notebook;

  /** This process's, as the group's coordinator gave it. */
  private String id = "";

  private Instant due = Instant.MIN;
  private Instant recovered = Instant.MIN;
  private boolean told;
  private volatile String why;

  Members(TriggerOptions options, Halting halting, Notebook notebook) {
    this.options = options;
    this.halting = halting;
    this.notebook = notebook;
  }

  /** Why the trigger is halted, if it is. */
  Optional<String> halted() {
    return Optional.ofNullable(why);
  }

  /**
   * Tells what this process sees and hears what the others do, once a second.
   *
   * @param member this process's id in the group
   * @param all what members said, this one included
   */
  void meet(Dispatcher core, Instant now, String member, Map<String, MemberHealth> all) {
    if (why != null && core.hasRecovered()) {
      goOn(core, now, "a cell succeeded");
    }
    if (now.isBefore(due)) {
      return;
    }
    due = now.plus(EVERY);
    if (!member.equals(id)) {
      leave();
      id = member;
    }
    forgetTheGone(all);
    var own = core.tally(now);
    var others = fresh(all);
    if (why == null) {
      var tallies = new ArrayList<Tally>();
      tallies.add(own);
      // What others still say of the outage that is over for this process is none again.
      if (recovered.plus(options.window()).isBefore(now)) {
        others.forEach(other -> tallies.add(tally(other)));
      }
      halting.decide(tallies).ifPresent(reason -> halt(core, now, reason));
    } else if (!core.mayProbe() && others.stream().noneMatch(Members::isFailing)) {
      goOn(core, now, "no other process is halted any more");
    }
    tell(own);
  }

  /** Takes back what this process said. */
  void leave() {
    if (told) {
      notebook.send(StateRecord.removal(key(id)), PARTITION);
      told = false;
    }
  }

  private StateKey key(String member) {
    return new StateKey.OfHealth(options.name(), member);
  }

  private void halt(Dispatcher core, Instant now, String reason) {
    why = reason;
    core.halt(true, now);
    LOG.error(
        "Trigger {} halts, since at least half of the rows fail that were tried within {} s; one cell is tried every few seconds. Most often: {}",
        options.name(),
        options.window().toSeconds(),
        reason);
  }

  private void goOn(Dispatcher core, Instant now, String because) {
    why = null;
    recovered = now;
    core.halt(false, now);
    LOG.info("Trigger {} goes on: {}", options.name(), because);
  }

  /** A process that was killed takes nothing back, and would be in the topic for ever. */
  private void forgetTheGone(Map<String, MemberHealth> all) {
    var oldest = Instant.now().minus(GONE);
    all.forEach(
        (member, said) -> {
          if (!member.equals(id) && said.at().isBefore(oldest)) {
            notebook.send(StateRecord.removal(key(member)), PARTITION);
          }
        });
  }

  private List<MemberHealth> fresh(Map<String, MemberHealth> all) {
    var oldest = Instant.now().minus(options.window());
    return all.entrySet().stream()
        .filter(member -> !member.getKey().equals(id))
        .map(Map.Entry::getValue)
        .filter(member -> member.at().isAfter(oldest))
        .toList();
  }

  private void tell(Tally own) {
    if (id.isEmpty() || own.failedRows() == 0 && why == null) {
      leave();
      return;
    }
    told = true;
    notebook.send(
        StateRecord.of(
            key(id),
            new MemberHealth(
                Instant.now(),
                new MemberHealth.Seen(own.cells(), own.rows(), own.shards()),
                new MemberHealth.Seen(own.failedCells(), own.failedRows(), own.failedShards()),
                why != null,
                own.reason())),
        PARTITION);
  }

  /** One that is halted only since others are is none. */
  private static boolean isFailing(MemberHealth member) {
    return member.halted() && member.failed().rows() > 0;
  }

  private static Tally tally(MemberHealth member) {
    return new Tally(
        member.tried().cells(),
        member.failed().cells(),
        (int) member.tried().rows(),
        (int) member.failed().rows(),
        (int) member.tried().shards(),
        (int) member.failed().shards(),
        member.reason(),
        member.reason().isEmpty() ? 0 : (int) member.failed().cells());
  }
}
