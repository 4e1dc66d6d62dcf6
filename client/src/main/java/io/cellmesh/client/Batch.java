package io.cellmesh.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * A call about many, each with an outcome of its own. Those that a passing reason kept from success
 * are asked for again, without the others, as far as deadline and budget let it.
 */
final class Batch<I, T> {
  private static final int OK = 200;

  /** Too many requests, and nobody who could answer. */
  private static final Set<Integer> PASSING = Set.of(429, 503);

  private final Calls calls;
  private final List<I> input;
  private final Function<List<I>, WorkerRequest> request;
  private final PartReading<I, T> reading;
  private final long end;
  private final CompletableFuture<List<Outcome<T>>> result = new CompletableFuture<>();

  /** Written by one round after the other. */
  private final List<Outcome<T>> outcomes;

  private volatile Future<?> underWay = CompletableFuture.completedFuture(null);

  /** Reads the part of an answer that belongs to one of the input. */
  interface PartReading<I, T> {
    Outcome<T> read(I input, Part json) throws WrongAnswerException;
  }

  /**
   * @throws IllegalArgumentException if there is nothing, or more than a batch takes
   */
  Batch(
      Calls calls,
      List<I> input,
      Function<List<I>, WorkerRequest> request,
      PartReading<I, T> reading,
      Duration deadline) {
    if (input.isEmpty() || input.size() > WorkerApi.MAX_BATCH) {
      throw new IllegalArgumentException(
          "batch: %d is not in 1..%d".formatted(input.size(), WorkerApi.MAX_BATCH));
    }
    this.calls = calls;
    this.input = List.copyOf(input);
    this.request = request;
    this.reading = reading;
    this.end = System.nanoTime() + deadline.toNanos();
    this.outcomes = new ArrayList<>(Collections.nCopies(input.size(), null));
  }

  /** Fails only if the first round does as a whole; later ones leave the outcomes as they are. */
  CompletableFuture<List<Outcome<T>>> start() {
    result.whenComplete((value, failure) -> underWay.cancel(true));
    var all = IntStream.range(0, input.size()).boxed().toList();
    var first = calls.make(request.apply(input), parts(input), left());
    await(first, all, 0);
    return result;
  }

  private void await(CompletableFuture<List<Outcome<T>>> call, List<Integer> places, int round) {
    underWay(call);
    call.whenComplete(
        (parts, failure) -> {
          if (failure == null) {
            keep(places, parts);
            repeatOrEnd(round);
          } else if (round == 0) {
            result.completeExceptionally(failure);
          } else {
            result.complete(List.copyOf(outcomes));
          }
        });
  }

  private void keep(List<Integer> places, List<Outcome<T>> parts) {
    for (int i = 0; i < parts.size(); i++) {
      outcomes.set(places.get(i), parts.get(i));
    }
  }

  private void repeatOrEnd(int round) {
    var open =
        IntStream.range(0, input.size()).filter(i -> isPassing(outcomes.get(i))).boxed().toList();
    var wait = calls.backoff.delay(round);
    if (open.isEmpty() || wait.compareTo(left()) >= 0 || !calls.budget.withdraw()) {
      result.complete(List.copyOf(outcomes));
      return;
    }
    underWay(calls.timers.after(wait, () -> repeat(open, round + 1)));
  }

  private void repeat(List<Integer> places, int round) {
    var some = places.stream().map(input::get).toList();
    await(calls.repeat(request.apply(some), parts(some), left()), places, round);
  }

  private Reading<List<Outcome<T>>> parts(List<I> asked) {
    return reply -> {
      if (reply.status() != OK) {
        return Optional.empty();
      }
      var told = reply.body().fields().elements("results");
      if (told.size() != asked.size()) {
        throw new WrongAnswerException(
            "%d results for %d that were asked for".formatted(told.size(), asked.size()));
      }
      var parts = new ArrayList<Outcome<T>>();
      for (int i = 0; i < told.size(); i++) {
        parts.add(reading.read(asked.get(i), told.get(i)));
      }
      return Optional.of(parts);
    };
  }

  /** What the end of the result ends, too. */
  private void underWay(Future<?> future) {
    underWay = future;
    if (result.isDone()) {
      future.cancel(true);
    }
  }

  private static boolean isPassing(Outcome<?> outcome) {
    return outcome instanceof Outcome.Failed<?> failed
        && PASSING.contains(failed.failure().status());
  }

  private Duration left() {
    return Duration.ofNanos(Math.max(0, end - System.nanoTime()));
  }
}
