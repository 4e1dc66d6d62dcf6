package io.cellmesh.stack.chaos;

import io.cellmesh.stack.Stack;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/** Who reads in a data centre: an index, a trigger, and sessions of a worker's clients. */
final class Readers implements AutoCloseable {
  private final Victims victims;
  private final IndexDelays index;
  private final ChaosTrigger trigger;
  private WorkerSessions sessions;

  private Readers(Victims victims, ChaosTrigger trigger) {
    this.victims = victims;
    this.index = IndexDelays.watch(victims.topology(), victims::master);
    this.trigger = trigger;
  }

  /** Begins to watch; empty where no worker serves HTTP, nor anything else but cells is there. */
  static Optional<Readers> watch(Stack stack, Victims victims) throws IOException {
    return victims.isRead()
        ? Optional.of(new Readers(victims, ChaosTrigger.start(stack, victims.datacenter())))
        : Optional.empty();
  }

  /**
   * Lets sessions write and read.
   *
   * @param seed of the keys
   */
  void load(long seed) {
    sessions = WorkerSessions.start(victims.calls(), victims.topology(), seed);
  }

  /** Awaits a cell in the index and at the trigger. */
  void expect(UUID row, long ref) {
    trigger.cells().expect(row, ref);
    index.cells().expect(row, ref);
  }

  WorkerSessions sessions() {
    return sessions;
  }

  ChaosTrigger trigger() {
    return trigger;
  }

  /** Whether a cell has come to the index, and one to the trigger. */
  boolean haveBegun() {
    return index.cells().hasBegun() && trigger.cells().hasBegun();
  }

  /** How long the oldest cell has waited for the index. */
  Duration oldestForIndex() {
    return index.cells().oldest();
  }

  /** How long the oldest cell has waited for the trigger. */
  Duration oldestForTrigger() {
    return trigger.cells().oldest();
  }

  @Override
  public void close() {
    if (sessions != null) {
      sessions.close();
    }
    index.close();
    trigger.close();
  }
}
