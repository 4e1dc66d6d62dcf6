package io.cellmesh.client;

import io.cellmesh.client.Verdict.Again;
import io.cellmesh.client.Verdict.Done;
import io.cellmesh.client.Verdict.Refused;
import java.time.Clock;
import java.util.Optional;
import java.util.Set;

/** Decides what an answer means for its call. */
final class Judge {
  /** Request timeout, too early, too many requests: of the moment, and no fault of the call. */
  private static final Set<Integer> PASSING = Set.of(408, 425, 429);

  /** What a proxy says whose worker is gone. */
  private static final Set<Integer> BAD_GATEWAY = Set.of(502, 504);

  private static final int CLIENT_ERROR = 400;
  private static final int SERVER_ERROR = 500;

  private final Clock clock;

  Judge(Clock clock) {
    this.clock = clock;
  }

  /** Judges an answer that came to its end. */
  <T> Verdict<T> of(Host host, Reply reply, Reading<T> reading) {
    try {
      var result = reading.read(reply);
      return result.isPresent() ? new Done<>(result.get()) : without(host, reply);
    } catch (WrongAnswerException e) {
      var reason = "%d with another content: %s".formatted(reply.status(), e.getMessage());
      return new Again<>(
          CellmeshException.unreachable(host.toString(), reason, e), Optional.empty(), true);
    }
  }

  private <T> Verdict<T> without(Host host, Reply reply) {
    int status = reply.status();
    var after =
        reply
            .header(WorkerApi.RETRY_AFTER_HEADER)
            .flatMap(text -> RetryAfter.parse(text, clock.instant()));
    var failure = CellmeshException.told(host.toString(), reply.problem(), after);
    if (status >= CLIENT_ERROR && status < SERVER_ERROR && !PASSING.contains(status)) {
      return new Refused<>(failure);
    }
    boolean noWorker = status < CLIENT_ERROR || BAD_GATEWAY.contains(status);
    return new Again<>(failure, after, noWorker);
  }
}
