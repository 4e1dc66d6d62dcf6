package io.cellmesh.worker.position;

import java.util.Optional;

/** How a wait ended; each is true by what was seen of the servers. */
public sealed interface Outcome {
  /** The master's position has passed the record, and its row is the cell. */
  record Visible() implements Outcome {}

  /** The same, and each listed minion's position has passed the record, too. */
  record Replicated() implements Outcome {}

  /** The sink has committed an offset behind the record: two servers have the cell. */
  record Secured() implements Outcome {}

  /** Two servers have it, and it becomes visible when the master is back. */
  record Buffered(Outage outage) implements Outcome {}

  /**
   * The key has another body, which came first and stays.
   *
   * @param kept digest of the body that stays, SHA-256 in hex
   * @param refused digest of the writer's body
   * @param isFinal whether each listed minion has decided so, too: no promotion can undo it
   */
  record Conflict(String kept, String refused, boolean isFinal) implements Outcome {}

  /**
   * The master's position has passed the record, and no row has the key.
   *
   * @param reason as the sink told it; empty if it is not known
   */
  record Rejected(Optional<String> reason) implements Outcome {}

  /**
   * The deadline came first, or the worker ends.
   *
   * @param reached how far it had come
   */
  record Late(WaitFor reached, Optional<Outage> outage) implements Outcome {}
}
