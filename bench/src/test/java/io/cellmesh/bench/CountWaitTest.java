package io.cellmesh.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.devstack.DevStackException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CountWaitTest {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Duration SHORT = Duration.ofMillis(30);
  private static final Duration PAUSE = Duration.ofMillis(10);

  private final AtomicLong count = new AtomicLong();

  @Test
  void itEndsWithTheFirstCountThatIsHighEnough() throws Exception {
    assertThat(CountWait.whileItMoves(LONG).until(5, () -> count.addAndGet(2), this::failure))
        .isEqualTo(6);
    assertThat(CountWait.atMost(LONG, PAUSE).until(6, count::get, () -> false, this::failure))
        .as("who has done all of it may be gone")
        .isEqualTo(6);
  }

  @Test
  void aCountThatMovesIsWaitedForBeyondThePatience() throws Exception {
    var waiting = new CountWait(SHORT, true, PAUSE);

    assertThat(waiting.until(20, count::incrementAndGet, this::failure)).isEqualTo(20);
  }

  @Test
  void aCountThatStandsStillIsGivenUp() {
    count.set(3);

    assertThatThrownBy(() -> new CountWait(SHORT, true, PAUSE).until(4, count::get, this::failure))
        .hasMessage("gave up at 3");
  }

  @Test
  void atMostIsAtMostHoweverTheCountMoves() {
    assertThatThrownBy(
            () ->
                CountWait.atMost(SHORT, PAUSE).until(1_000, count::incrementAndGet, this::failure))
        .hasMessageStartingWith("gave up at ");
  }

  @Test
  void whatNobodyWorksOnAnyMoreIsGivenUpBeforeThePatienceEnds() {
    assertThatThrownBy(
            () -> CountWait.atMost(LONG, PAUSE).until(1, count::get, () -> false, this::failure))
        .hasMessage("gave up at 0");
    assertThatThrownBy(
            () -> CountWait.whileItMoves(LONG).until(1, count::get, () -> false, this::failure))
        .hasMessage("gave up at 0");
  }

  private DevStackException failure(long at) {
    return new DevStackException("gave up at " + at);
  }
}
