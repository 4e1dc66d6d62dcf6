package io.cellmesh.worker.load;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Lets in as many as there is room for, those of a higher priority longer. Thread-safe. */
public final class Gate {
  private final String name;
  private final int capacity;
  private final AtomicInteger inside = new AtomicInteger();
  private final AtomicLong turnedAway = new AtomicLong();

  /**
   * @param name of what there is too much of, for messages
   */
  public Gate(String name, int capacity) {
    this.name = name;
    this.capacity = capacity;
  }

  /**
   * Enters; whoever does must {@link #leave}.
   *
   * @throws OverloadedException if there is no room
   */
  public void enter(Priority priority) {
    int most = priority.share(capacity);
    if (inside.getAndUpdate(now -> now < most ? now + 1 : now) >= most) {
      turnedAway.incrementAndGet();
      throw new OverloadedException(name);
    }
  }

  public String name() {
    return name;
  }

  public void leave() {
    inside.decrementAndGet();
  }

  /** How many are inside. */
  public int inside() {
    return inside.get();
  }

  /** How many were turned away since it began. */
  public long turnedAway() {
    return turnedAway.get();
  }
}
