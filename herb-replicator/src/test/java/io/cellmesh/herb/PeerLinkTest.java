package io.cellmesh.herb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.LinkHold;
import io.cellmesh.cell.LinkHold.Kind;
import io.cellmesh.deployment.MissingRightException;
import io.cellmesh.herb.LinkHealth.State;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PeerLinkTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final AtomicReference<Optional<LinkHold>> hold = new AtomicReference<>(Optional.empty());
  private volatile boolean pauses = true;
  private volatile Duration stalled = Duration.ZERO;

  /** Three partitions of it are full. */
  private final MeshWindow window =
      new MeshWindow(
          "trips.mesh",
          1,
          new PassingOwnCells(),
          Map.of(0, 1L, 1, 1L, 2, 1L),
          () -> stalled.toNanos());

  private final AtomicInteger looks = new AtomicInteger();

  private final Pace pace = new Pace(OptionalInt.empty(), () -> 0);
  private volatile int behind;
  private volatile LinkFigures figures;
  private final AtomicInteger begun = new AtomicInteger();
  private final AtomicInteger ended = new AtomicInteger();

  @ParameterizedTest
  @CsvSource({"PAUSED, PAUSED", "LOST, LOST"})
  void a_link_that_is_held_is_not_begun(Kind kind, State state) throws InterruptedException {
    hold.set(hold(kind));
    var link = begun();
    await().atMost(PATIENCE).until(() -> link.health().state() == state);
    assertThat(link.health().isGood()).isTrue();
    assertThat(link.health().why()).endsWith(" since 1970-01-01T00:00:00Z by anna@ops1");
    end(link);
    assertThat(begun).hasValue(0);
  }

  @Test
  void a_run_ends_when_somebody_holds_the_link_and_that_is_no_failure()
      throws InterruptedException {
    var link = begun();
    await().atMost(PATIENCE).until(() -> link.health().state() == State.PAUSED);
    assertThat(link.health().counts().restarts()).isZero();
    end(link);
    assertThat(begun).hasValue(1);
    assertThat(ended).hasValue(1);
  }

  @Test
  void a_link_that_waits_for_a_sink_that_passes_nothing_says_so_and_is_well()
      throws InterruptedException {
    pauses = false;
    var link = begun();
    await().atMost(PATIENCE).until(() -> link.health().isUp());
    assertThat(link.health().why())
        .isEqualTo(
            "waits for the sink of this data centre: for 40 s that has passed nothing of some of 3"
                + " partitions of the mesh topic that have windows of this link's cells; `cellmesh"
                + " status` says what it waits for");
    assertThat(link.health().window().full()).isEqualTo(3);
    assertThat(link.health().isGood()).isTrue();
    stalled = Duration.ofSeconds(29);
    assertThat(link.health().why()).isEmpty();
    end(link);
  }

  @Test
  void a_run_with_a_backlog_is_held_to_a_share_of_what_the_sink_passes_and_says_so()
      throws InterruptedException {
    pauses = false;
    behind = 1_000_000;
    var link = begun();
    await().atMost(PATIENCE).until(() -> link.health().pace().isPresent());
    assertThat(pace.cells()).isEqualTo(link.health().pace());
    behind = 100;
    await().atMost(PATIENCE).until(() -> link.health().pace().isEmpty());
    assertThat(pace.cells()).isEmpty();
    end(link);
  }

  @BeforeEach
  void fill() {
    for (int partition = 0; partition < 3; partition++) {
      window.hasRoom(partition, 1);
    }
    stalled = Duration.ofSeconds(40);
  }

  private PeerLink begun() {
    var link =
        new PeerLink(
            "trips", "dc2", new HeldOnceItRuns(), hold::get, new Stagger(), new Backlogs(0.5, 100));
    link.start();
    return link;
  }

  private static void end(PeerLink link) throws InterruptedException {
    link.end();
    assertThat(link.awaitEnd(PATIENCE)).isTrue();
  }

  private static Optional<LinkHold> hold(Kind kind) {
    return Optional.of(new LinkHold(kind, Instant.EPOCH, "anna@ops1"));
  }

  /** Nothing of the mesh, and more of its own each time that it is asked after. */
  private final class PassingOwnCells implements SinkPlace {
    @Override
    public OptionalLong passed(int partition) {
      return OptionalLong.of(0);
    }

    @Override
    public OptionalLong own() {
      return OptionalLong.of(looks.incrementAndGet());
    }

    @Override
    public void ask() {
      // It is known.
    }
  }

  /** Of which a run never fails; somebody pauses the link once it runs. */
  private final class HeldOnceItRuns implements Transport {
    @Override
    public Run begin(LinkFigures counted) {
      figures = counted;
      begun.incrementAndGet();
      return new Run() {
        @Override
        public boolean isRunning() {
          return true;
        }

        @Override
        public long behind() {
          return behind;
        }

        @Override
        public long fetched() {
          return 0;
        }

        @Override
        public LinkBounds bounds() {
          return new LinkBounds(window, pace);
        }

        @Override
        public Optional<RuntimeException> awaitFailure(Duration within)
            throws InterruptedException {
          TimeUnit.MILLISECONDS.sleep(10);
          figures.taken();
          window.hasRoom(0, 1);
          if (pauses) {
            hold.set(hold(Kind.PAUSED));
          }
          return Optional.empty();
        }

        @Override
        public void close() {
          ended.incrementAndGet();
        }
      };
    }

    @Override
    public Optional<MissingRightException> missing(Throwable failure) {
      return Optional.empty();
    }
  }
}
