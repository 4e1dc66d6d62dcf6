package io.cellmesh.index;

import io.cellmesh.index.TopicCheck.HaltedException;
import io.cellmesh.index.TopicCheck.UnusableException;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides what becomes of a pass whose state can't be read. Its local state is a copy of the
 * changelog, so it is removed and restored from that, once (it may be what a former pass of the
 * same name has left). If the changelog holds the same damage, the pass halts in words until
 * something that may have mended it has changed.
 */
final class DamagedStates {
  /** Files that are damaged again after so long are no longer the same fault. */
  static final Duration NEW_FAULT = Duration.ofMinutes(10);

  /** What always helps: nothing of it depends on the state that there is. */
  static final String ANEW =
      "build its indexes anew beside it: `cellmesh index create` with the next version in each file, then `cellmesh index switch` and `cellmesh index drop`";

  private static final Logger LOG = LoggerFactory.getLogger(DamagedStates.class);

  private final LocalState local;
  private final Map<String, Known> passes = new HashMap<>();

  DamagedStates(LocalState local) {
    this.local = local;
  }

  /**
   * What the reading of a pass's state depends on.
   *
   * @param definitions their digests
   * @param changelog its topic's id; empty if there is none
   * @param next the offsets that the pass has committed, in the partition that is damaged
   */
  record Footing(
      List<String> definitions, Optional<Uuid> changelog, Map<TopicPartition, Long> next) {
    boolean hasStateOf(Footing other) {
      return definitions.equals(other.definitions) && changelog.equals(other.changelog);
    }
  }

  /** Reads the footing as it is now. */
  interface Look {
    Footing now(OptionalInt partition) throws InterruptedException;
  }

  private static final class Known {
    private StateDamage damage;
    private Footing restored;
    private long restoredNanos;
    private Footing halted;
  }

  /** Notes that a pass has ended for this. */
  synchronized void tell(String pass, StateDamage damage) {
    passes.computeIfAbsent(pass, p -> new Known()).damage = damage;
  }

  /**
   * Makes way for a pass that is about to start: does nothing if its state is not known to be
   * damaged, and else removes the local one.
   *
   * @throws HaltedException if that was done already, and nothing has changed
   * @throws UnusableException if it can't be removed
   */
  synchronized void settle(String pass, Look look) throws UnusableException, InterruptedException {
    var known = passes.get(pass);
    if (known == null || known.damage == null) {
      return;
    }
    var now = look.now(known.damage.partition());
    if (isStill(known, now)) {
      known.halted = now;
      throw new HaltedException(text(pass, known.damage));
    }
    try {
      local.remove(pass);
    } catch (IOException e) {
      throw new UnusableException(
          "its local state in %s is damaged (%s) and can't be removed: %s"
              .formatted(local.of(pass), known.damage.what(), e));
    }
    LOG.warn(
        "Pass {}: its state can't be read ({}); the local copy in {} is removed and restored from the changelog",
        pass,
        known.damage.what(),
        local.of(pass));
    known.damage = null;
    known.halted = null;
    known.restored = now;
    known.restoredNanos = System.nanoTime();
  }

  private static boolean isStill(Known known, Footing now) {
    if (known.restored == null || !known.restored.hasStateOf(now)) {
      return false;
    }
    if (known.damage.onDisk()) {
      return System.nanoTime() - known.restoredNanos < NEW_FAULT.toNanos();
    }
    return known.halted == null || known.halted.equals(now);
  }

  private String text(String pass, StateDamage damage) {
    if (damage.onDisk()) {
      return "its local state in %s is damaged, again within %d minutes of being restored from the changelog (%s): look at the disk, or give index-streams another --state-dir; it is restored once more when they are over"
          .formatted(local.of(pass), NEW_FAULT.toMinutes(), damage.what());
    }
    return "its state can't be read, nor what was restored from its changelog: %s; if its definitions were changed, put them back; if its topics still have their first records, delete %s, and it reads them again; else %s"
        .formatted(
            damage.what(), PassStart.changelog(local.of(pass).getFileName().toString()), ANEW);
  }
}
