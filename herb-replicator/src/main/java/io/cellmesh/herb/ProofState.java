package io.cellmesh.herb;

import io.cellmesh.herb.LinkHealth.State;

/**
 * How a part of the proof is.
 *
 * @param why what it waits for or what is wrong; empty while it runs
 * @param restarts how often it has failed and begun again
 */
record ProofState(State state, String why, long restarts) {
  static final ProofState STARTING = new ProofState(State.STARTING, "", 0);
}
