package io.cellmesh.operations.promotion;

/** What a promotion does, in this order; each may be repeated. */
public enum Stage {
  /** The old master takes no writes any more. */
  FENCE,
  /** No minion takes anything more from an old master that can't be asked. */
  CUT_OFF,
  /** The candidate commits all that it has received, or that the fenced master has. */
  APPLY,
  /** Nobody has more than the candidate, nor has the log. */
  COMPARE,
  /** The candidate follows nobody, and knows the new epoch. From here on it must be this one. */
  CLAIM,
  /** The next added_ids are none that the old master can have given out. */
  IDS,
  /**
   * The other clusters know the new epoch: they take no copies from a writer with the old topology.
   * Until {@link #CONNECTORS} the sink can write nothing, so only what is quick stands between the
   * two.
   */
  EPOCHS,
  /** The topology names the new master. */
  TOPOLOGY,
  /** It takes writes. */
  OPEN,
  /** The other minions follow it. */
  MINIONS,
  /** The connectors have the new topology. */
  CONNECTORS
}
