package io.cellmesh.stack.chaos;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * The faults one after the other, without end. The seed alone says which: how many of them a run
 * comes to is a matter of its time.
 */
public final class Schedule {
  private static final int LONGEST_PAUSE_MILLIS = 4_000;

  private final Random random;
  private final List<FaultKind> kinds;
  private final Deque<FaultKind> deck = new ArrayDeque<>();
  private final Map<FaultKind, Integer> turns = new EnumMap<>(FaultKind.class);

  /**
   * @param kinds which are wanted; at least one; one that is there twice comes twice as often
   */
  public Schedule(long seed, Collection<FaultKind> kinds) {
    if (kinds.isEmpty()) {
      throw new IllegalArgumentException("no kinds of faults");
    }
    this.random = new Random(seed);
    this.kinds = kinds.stream().sorted().toList();
  }

  /**
   * A fault to come.
   *
   * @param victim which of those that it can hit, counted round
   * @param hold how long it lasts
   * @param pause how long nothing happens before it
   */
  public record Planned(FaultKind kind, int victim, Duration hold, Duration pause) {}

  /** Whether a data centre will be away. */
  boolean takesDataCenters() {
    return kinds.stream().anyMatch(FaultKind::takesDataCenter);
  }

  /** The next one. A kind comes again when all others had their turns. */
  public Planned next() {
    if (deck.isEmpty()) {
      shuffle();
    }
    var kind = deck.pop();
    int drawn = random.nextInt(1 << 16);
    long spread = kind.longest().minus(kind.shortest()).toMillis();
    return new Planned(
        kind,
        kind.takesDataCenter() ? turn(kind) : drawn,
        kind.shortest().plusMillis(Math.round(random.nextDouble() * spread)),
        Duration.ofMillis(random.nextInt(LONGEST_PAUSE_MILLIS)));
  }

  /** Each data centre has its turn; each kind begins with another one. */
  private int turn(FaultKind kind) {
    return kind.ordinal() + turns.merge(kind, 1, Integer::sum);
  }

  private void shuffle() {
    var cards = new ArrayList<FaultKind>();
    kinds.forEach(kind -> cards.addAll(Collections.nCopies(kind.weight(), kind)));
    Collections.shuffle(cards, random);
    deck.addAll(cards);
  }
}
