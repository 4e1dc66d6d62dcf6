package io.cellmesh.connect.source;

import java.time.Duration;

/** How soon a server is asked again. One thread uses it. */
final class AskingPace {
  static final Duration CALM = Duration.ofSeconds(1);

  /** How soon a server that comes back is seen. */
  static final Duration AWAY = Duration.ofMillis(100);

  /** MySQL locks a host out that has broken off a hundred handshakes. */
  static final Duration REFUSED = Duration.ofMinutes(1);

  /** A server that is only being set up refuses a few times. */
  private static final int FEW = 5;

  private int refusals;

  /** The pause after an answer, a silence or a refusal. */
  Duration after(ServerState state) {
    refusals = state.refused() ? refusals + 1 : 0;
    if (refusals > FEW) {
      return REFUSED;
    }
    return state.answer().isPresent() || state.refused() ? CALM : AWAY;
  }
}
