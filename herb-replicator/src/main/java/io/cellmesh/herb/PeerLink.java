package io.cellmesh.herb;

import io.cellmesh.cell.LinkHold;
import io.cellmesh.cell.LinkHold.Kind;
import io.cellmesh.deployment.peer.PeerAwayException;
import io.cellmesh.deployment.peer.PeerRefusedException;
import io.cellmesh.herb.LinkHealth.State;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One peer: a transport of its own on threads of its own, so that what happens to it delays no
 * other.
 *
 * <p>It goes round and round: makes sure of the peer, runs, and when it ends says why and begins
 * again, from its place: soon after a failure and later each time, every 5 s while it is halted. It
 * stands still while somebody holds it. So it comes back by itself from everything but what a
 * person has to mend, and from that once it is mended.
 */
final class PeerLink implements Link {
  private static final Logger LOG = LoggerFactory.getLogger(PeerLink.class);
  private static final Duration LOOK = Duration.ofSeconds(5);
  private static final Duration PAUSE = Duration.ofSeconds(2);

  /** How soon a link that runs looks whether somebody holds it. */
  private static final Duration HOLD_LOOK = Duration.ofSeconds(1);

  /** A sink that passes nothing for so long is not merely busy. */
  private static final Duration LONG_WAIT = Duration.ofSeconds(30);

  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  /** A run of this length was a good one: the next failure is the first again. */
  private static final Duration GOOD_RUN = Duration.ofMinutes(1);

  private final String name;
  private final String peer;
  private final Transport transport;
  private final Supplier<Optional<LinkHold>> hold;
  private final Stagger stagger;
  private final Backlogs backlogs;
  private final Rounds rounds;
  private final LinkFigures figures = new LinkFigures();
  private volatile State state = State.STARTING;
  private volatile String why = "";
  private volatile Transport.Run run;
  private State told = State.STARTING;
  private String toldWhy = "";
  private String toldWait = "";
  private int failures;

  /**
   * @param transport its own, which no other link has
   * @param hold what holds the link, as far as it is known
   * @param stagger of all links of the process
   * @param backlogs of all links of the instance
   */
  PeerLink(
      String instance,
      String peer,
      Transport transport,
      Supplier<Optional<LinkHold>> hold,
      Stagger stagger,
      Backlogs backlogs) {
    this.name = Peer.link(instance, peer);
    this.peer = peer;
    this.transport = transport;
    this.hold = hold;
    this.stagger = stagger;
    this.backlogs = backlogs;
    this.rounds = new Rounds("link-%s-%s".formatted(instance, peer), this::round);
  }

  @Override
  public String peer() {
    return peer;
  }

  @Override
  public void start() {
    rounds.start();
  }

  @Override
  public LinkHealth health() {
    var running = run;
    boolean works = state == State.RUNNING && running != null && running.isRunning();
    return new LinkHealth(
        state == State.RUNNING && !works ? State.STARTING : state,
        works ? waits(running.bounds().window().state()) : why,
        running == null ? 0 : running.behind(),
        figures.lagMs(),
        running == null ? MeshWindow.State.OPEN : running.bounds().window().state(),
        running == null ? OptionalDouble.empty() : running.bounds().pace().cells(),
        figures.counts(),
        figures.unlinked());
  }

  /** It has ended within {@link Transport#CLOSE_TIMEOUT} and what it takes to notice. */
  @Override
  public void end() {
    rounds.end();
  }

  @Override
  public boolean awaitEnd(Duration atMost) throws InterruptedException {
    return rounds.awaitEnd(atMost);
  }

  /** Makes sure of the peer and runs; returns how long to wait before the next time. */
  private Duration round() throws InterruptedException {
    stagger.await();
    long begin = System.nanoTime();
    try {
      checkHold();
      try (var running = transport.begin(figures)) {
        run = running;
        become(State.RUNNING, "");
        throw awaitFailure(running);
      } finally {
        run = null;
      }
    } catch (InterruptedException | InterruptException e) {
      throw e;
    } catch (SeedReadException e) {
      LOG.info("{}: {}, its log comes next", name, e.getMessage());
      return Duration.ZERO;
    } catch (HeldException e) {
      become(e.hold().kind() == Kind.LOST ? State.LOST : State.PAUSED, e.getMessage());
      return PAUSE;
    } catch (HaltException | PeerRefusedException e) {
      become(State.HALTED, e.getMessage());
      return LOOK;
    } catch (Throwable e) {
      // Whatever it is, a link that ended for good would be missed by nobody for a long time.
      return ended(e, Duration.ofNanos(System.nanoTime() - begin));
    }
  }

  private RuntimeException awaitFailure(Transport.Run running) throws InterruptedException {
    var bounds = running.bounds();
    try (var backlog = backlogs.of(bounds.window())) {
      while (true) {
        checkHold();
        tellWait(waits(bounds.window().state()));
        var reading =
            new Backlogs.Reading(
                running.behind(), running.fetched(), figures.brought(), figures.broughtRebuilt());
        var pace = backlog.look(System.nanoTime(), reading);
        tellPace(bounds.pace().cells(), pace, reading.unread());
        bounds.keepTo(pace);
        var failure = running.awaitFailure(HOLD_LOOK);
        if (failure.isPresent()) {
          return failure.get();
        }
      }
    }
  }

  /** Why a link that runs brings nothing for a while; empty if the sink goes on. */
  private static String waits(MeshWindow.State window) {
    return window.stalled().compareTo(LONG_WAIT) < 0
        ? ""
        : "waits for the sink of this data centre: for %d s that has passed nothing of %s; `cellmesh status` says what it waits for"
            .formatted(
                window.stalled().toSeconds(),
                window.full() == 1
                    ? "a partition of the mesh topic that has a window of this link's cells"
                    : "some of %d partitions of the mesh topic that have windows of this link's cells"
                        .formatted(window.full()));
  }

  /** Says once that it waits, and once that it goes on. */
  private void tellWait(String wait) {
    if (wait.isEmpty() == toldWait.isEmpty()) {
      return;
    }
    toldWait = wait;
    if (wait.isEmpty()) {
      LOG.info("{}: the sink goes on, and so does the link", name);
    } else {
      LOG.warn("{}: {}", name, wait);
    }
  }

  /** Says once that it keeps to a pace, and once that it brings all it can. */
  private void tellPace(OptionalDouble before, OptionalDouble pace, long unread) {
    if (before.isPresent() == pace.isPresent()) {
      return;
    }
    if (pace.isPresent()) {
      LOG.info(
          "{}: keeps to {} cells a second for the sake of others' cells; {} records of its peer's log are unread",
          name,
          Math.round(pace.getAsDouble()),
          unread);
    } else {
      LOG.info(
          "{}: brings all it can again; {} records of its peer's log are unread", name, unread);
    }
  }

  private void checkHold() {
    hold.get()
        .ifPresent(
            held -> {
              throw new HeldException(held);
            });
  }

  private Duration ended(Throwable failure, Duration after) {
    var lack = transport.missing(failure);
    if (lack.isPresent()) {
      become(State.HALTED, lack.get().getMessage());
      return PAUSE;
    }
    if (failure instanceof KafkaException || failure instanceof PeerAwayException) {
      become(State.WAITING, failure.getMessage());
      return PAUSE;
    }
    return failed(failure, after);
  }

  private Duration failed(Throwable failure, Duration after) {
    failures = after.compareTo(GOOD_RUN) > 0 ? 1 : failures + 1;
    figures.restart();
    var pause = pause();
    LOG.error("{} failed; it begins again in {} s", name, pause.toSeconds(), failure);
    become(State.RESTARTING, failure.toString());
    return pause;
  }

  /** Twice as long with each failure. */
  private Duration pause() {
    var pause = PAUSE.multipliedBy(1L << Math.min(failures - 1, Byte.SIZE));
    return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
  }

  /** Stays like that, with the reason, until something else is known; says what is new, once. */
  private void become(State next, String reason) {
    // What a Kafka that does not answer says differs each time.
    boolean said = told == next && (next == State.WAITING || toldWhy.equals(reason));
    state = next;
    why = reason;
    if (said) {
      return;
    }
    told = next;
    toldWhy = reason;
    switch (next) {
      case HALTED -> LOG.error("{} is halted, nothing is skipped: {}", name, reason);
      case WAITING -> LOG.warn("{}: waiting: {}", name, reason);
      case PAUSED, LOST -> LOG.warn("{}: stands still: {}", name, reason);
      default -> LOG.info("{}: {}", name, next);
    }
  }
}
