package io.cellmesh.client;

import io.cellmesh.client.Verdict.Again;
import io.cellmesh.client.Verdict.Done;
import io.cellmesh.client.Verdict.Refused;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

/**
 * One call: its requests, one after the other and, where a host keeps it waiting, side by side. The
 * first that gives a result ends it; so does the deadline.
 */
final class Call<T> {
  private static final int UNAVAILABLE = 503;

  private final Calls calls;
  private final WorkerRequest request;
  private final Reading<T> reading;
  private final Duration deadline;
  private final Duration patience;
  private final long end;
  private final CompletableFuture<T> result = new CompletableFuture<>();

  // Guarded by this.
  private final List<Attempt> running = new ArrayList<>();
  private final Set<Host> tried = new HashSet<>();
  private final List<Future<?>> timers = new ArrayList<>();
  private int retries;
  private boolean retryComes;
  private CellmeshException last;

  Call(Calls calls, WorkerRequest request, Reading<T> reading, Duration deadline) {
    this.calls = calls;
    this.request = request;
    this.reading = reading;
    this.deadline = deadline;
    this.patience = calls.patience(deadline);
    this.end = System.nanoTime() + deadline.toNanos();
  }

  /** A request that is under way. */
  private static final class Attempt {
    private final Host host;
    private final long started = System.nanoTime();
    private volatile CompletableFuture<HttpResponse<byte[]>> answer;

    Attempt(Host host) {
      this.host = host;
    }
  }

  CompletableFuture<T> start() {
    later(deadline, this::late);
    result.whenComplete((value, failure) -> stop());
    attempt();
    return result;
  }

  private void attempt() {
    Attempt attempt;
    synchronized (this) {
      retryComes = false;
      if (result.isDone() || left().isZero()) {
        return;
      }
      attempt = new Attempt(calls.hosts.choose(tried, busy()));
      tried.add(attempt.host);
      running.add(attempt);
    }
    try {
      attempt.answer = calls.wire.send(attempt.host, request, left());
    } catch (RuntimeException e) {
      // The token's supplier failed, or gave what is no token.
      result.completeExceptionally(e);
      return;
    }
    later(patience, () -> overlap(attempt));
    attempt.answer.whenComplete((response, failure) -> ended(attempt, response, failure));
    if (result.isDone()) {
      attempt.answer.cancel(true);
    }
  }

  /** Asks another host as well, if there is one, when an answer does not come. */
  private void overlap(Attempt slow) {
    synchronized (this) {
      boolean waiting = running.contains(slow) && !retryComes && !result.isDone();
      if (!waiting || busy().size() == calls.hosts.size() || !calls.budget.withdraw()) {
        return;
      }
      retryComes = true;
      retries++;
    }
    attempt();
  }

  private void ended(Attempt attempt, HttpResponse<byte[]> response, Throwable failure) {
    synchronized (this) {
      running.remove(attempt);
    }
    if (result.isDone()) {
      return;
    }
    try {
      decide(attempt, verdict(attempt.host, response, failure));
    } catch (RuntimeException e) {
      // A fault of ours, which the caller had better see than wait for.
      result.completeExceptionally(e);
    }
  }

  private void decide(Attempt attempt, Verdict<T> verdict) {
    if (verdict instanceof Again<T> again) {
      if (again.hostFailed()) {
        calls.hosts.failed(attempt.host);
      } else if (again.failure().status() == UNAVAILABLE) {
        calls.hosts.doubted(attempt.host);
      } else {
        calls.hosts.answered(attempt.host, attempt.started);
      }
      again(again);
      return;
    }
    calls.hosts.answered(attempt.host, attempt.started);
    blameThoseThatHang();
    if (verdict instanceof Done<T> done) {
      result.complete(done.value());
    } else if (verdict instanceof Refused<T> refused) {
      result.completeExceptionally(refused.failure());
    }
  }

  private Verdict<T> verdict(Host host, HttpResponse<byte[]> response, Throwable failure) {
    if (failure == null) {
      return calls.judge.of(host, new Reply(response), reading);
    }
    var reason = calls.wire.reason(failure);
    return new Again<>(
        CellmeshException.unreachable(host.toString(), reason, failure),
        Optional.empty(),
        true,
        calls.wire.isUnsent(failure));
  }

  private void again(Again<T> again) {
    CellmeshException over;
    synchronized (this) {
      last = again.failure();
      if (retryComes) {
        return;
      }
      var wait = calls.backoff.delay(retries).plus(again.after().orElse(Duration.ZERO));
      boolean free = again.unsent() && tried.size() < calls.hosts.size();
      if (wait.compareTo(left()) < 0 && (free || calls.budget.withdraw())) {
        retryComes = true;
        retries++;
        later(wait, this::attempt);
        return;
      }
      over = running.isEmpty() ? last : null;
    }
    if (over != null) {
      result.completeExceptionally(over);
    }
  }

  private void late() {
    blameThoseThatHang();
    CellmeshException before;
    synchronized (this) {
      before = last;
    }
    result.completeExceptionally(CellmeshException.late(deadline, Optional.ofNullable(before)));
  }

  /**
   * A worker answers by its deadline, and another host did by now or the deadline has come: what
   * has kept this call waiting for so long would keep the next one waiting, too.
   */
  private void blameThoseThatHang() {
    List<Attempt> hanging;
    synchronized (this) {
      long now = System.nanoTime();
      hanging = running.stream().filter(each -> now - each.started >= patience.toNanos()).toList();
    }
    hanging.forEach(each -> calls.hosts.failed(each.host));
  }

  private void stop() {
    List<Attempt> open;
    synchronized (this) {
      open = List.copyOf(running);
      timers.forEach(timer -> timer.cancel(false));
    }
    for (var attempt : open) {
      if (attempt.answer != null) {
        attempt.answer.cancel(true);
      }
    }
  }

  private synchronized void later(Duration time, Runnable action) {
    if (!result.isDone()) {
      timers.add(calls.timers.after(time, action));
    }
  }

  private Set<Host> busy() {
    return running.stream().map(attempt -> attempt.host).collect(Collectors.toSet());
  }

  private Duration left() {
    return Duration.ofNanos(Math.max(0, end - System.nanoTime()));
  }
}
