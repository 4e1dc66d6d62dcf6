package io.cellmesh.worker.position;

/** Looks at the servers of one cluster. */
@FunctionalInterface
public interface Inquiry {
  /**
   * Looks. A server that does not answer is part of what was seen; so nothing is thrown but what a
   * defect throws.
   */
  Observation look(Question question);
}
