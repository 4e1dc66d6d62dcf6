package io.cellmesh.client;

import java.net.URI;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * Chooses the host of each request: in turn, and one that failed only where no other is left. It is
 * asked whether it is well in the background, so no call is risked on it. Safe for several threads.
 */
final class Hosts {
  private static final Duration SHORTEST_ASIDE = Duration.ofMillis(500);
  private static final Duration LONGEST_ASIDE = Duration.ofSeconds(10);
  private static final int MOST_DOUBLINGS = 5;

  private final List<Host> all;
  private final Function<Host, CompletableFuture<Boolean>> probe;
  private final LongSupplier clock;
  private final DoubleSupplier random;
  private int turn;

  /**
   * @param probe asks a host whether it can serve; true, false or a failure
   * @param clock in nanoseconds
   * @param random from 0 to less than 1
   */
  Hosts(
      List<URI> urls,
      Function<Host, CompletableFuture<Boolean>> probe,
      LongSupplier clock,
      DoubleSupplier random) {
    this.all = urls.stream().map(Host::new).toList();
    this.probe = probe;
    this.clock = clock;
    this.random = random;
    // So that many clients with one list don't begin with one host.
    this.turn = (int) (random.getAsDouble() * all.size());
  }

  int size() {
    return all.size();
  }

  /**
   * Gives the host that is to get a call's next request.
   *
   * @param tried those that got one already; another one comes first
   * @param busy those whose answer is still awaited; they come last
   */
  Host choose(Set<Host> tried, Set<Host> busy) {
    probeThoseDue();
    synchronized (this) {
      int first = turn;
      turn = (turn + 1) % all.size();
      return IntStream.range(0, all.size())
          .mapToObj(i -> all.get((first + i) % all.size()))
          .min(
              Comparator.<Host, Boolean>comparing(busy::contains)
                  .thenComparing(Host::isAside)
                  .thenComparing(tried::contains))
          .orElseThrow();
    }
  }

  /**
   * Notes that a host answered as a worker that can serve.
   *
   * @param asked when it was asked: what was begun before it failed says nothing of it since
   */
  synchronized void answered(Host host, long asked) {
    if (asked - host.asideSince >= 0) {
      host.failures = 0;
    }
  }

  /**
   * Asks a host whether it is well that did not serve a call, since it may be about to end; at most
   * twice a second.
   */
  void doubted(Host host) {
    synchronized (this) {
      long now = clock.getAsLong();
      boolean asked = host.doubted && host.doubtedUntil - now > 0;
      if (asked || host.isAside() || host.probed) {
        return;
      }
      host.doubted = true;
      host.doubtedUntil = now + SHORTEST_ASIDE.toNanos();
      host.probed = true;
    }
    ask(host);
  }

  /** Sets a host aside, for longer each time; what fails while it is aside adds nothing. */
  synchronized void failed(Host host) {
    if (host.isAside() && host.asideUntil - clock.getAsLong() > 0) {
      return;
    }
    long longest =
        Math.min(
            LONGEST_ASIDE.toNanos(),
            SHORTEST_ASIDE.toNanos() << Math.min(host.failures, MOST_DOUBLINGS));
    host.failures++;
    // At least half of it, since a host that was found dead is not well a moment later.
    long aside = longest / 2 + (long) (longest / 2 * random.getAsDouble());
    host.asideSince = clock.getAsLong();
    host.asideUntil = host.asideSince + aside;
  }

  private void probeThoseDue() {
    due().forEach(this::ask);
  }

  private void ask(Host host) {
    long asked = clock.getAsLong();
    probe
        .apply(host)
        .whenComplete(
            (well, failure) -> {
              synchronized (this) {
                host.probed = false;
              }
              if (Boolean.TRUE.equals(well)) {
                answered(host, asked);
              } else {
                failed(host);
              }
            });
  }

  private synchronized List<Host> due() {
    long now = clock.getAsLong();
    var due =
        all.stream()
            .filter(host -> host.isAside() && !host.probed && host.asideUntil - now <= 0)
            .toList();
    due.forEach(host -> host.probed = true);
    return due;
  }
}
