package io.cellmesh.connect.sink.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.cellmesh.connect.sink.simulation.Step.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * The sink's core over modelled servers, Kafka and Connect, in random histories of everything that
 * can go wrong: some that are always the same, and fresh ones. {@code
 * -Dcellmesh.simulation.schedules=N} runs N of each, {@code -Dcellmesh.simulation.seed=N} the one
 * that a failure names.
 */
class SimulationTest {
  private static final Integer SCHEDULES = Integer.getInteger("cellmesh.simulation.schedules");
  private static final Long SEED = Long.getLong("cellmesh.simulation.seed");
  private static final long SECONDS = 10;

  private final Simulation simulation = new Simulation();
  private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
  private Level level;

  @BeforeEach
  void silence() {
    level = root.getLevel();
    SimulationMain.silence();
  }

  @AfterEach
  void speak() {
    root.setLevel(level);
  }

  @Test
  void no_secured_cell_is_lost_nor_any_order_or_rejection_wrong_in_the_known_histories() {
    run(1);
  }

  @Test
  void nor_in_fresh_ones() {
    run(SEED != null ? SEED : ThreadLocalRandom.current().nextLong(1L << 40));
  }

  @Test
  void a_history_repeats_itself() {
    for (long seed = 1; seed <= 20; seed++) {
      var schedule = Schedule.of(seed);
      assertThat(simulation.run(schedule).digest())
          .as("what happened with seed " + seed)
          .isEqualTo(simulation.run(schedule).digest());
    }
  }

  @Test
  void what_does_not_matter_is_left_out_of_a_schedule_that_goes_wrong() {
    var steps =
        IntStream.range(0, 40)
            .mapToObj(i -> new Step(i, i % 8 == 3 ? Kind.PRODUCE : Kind.MOVE, i, 9))
            .toList();
    var culprits = List.of(steps.get(5), new Step(11, Kind.PRODUCE, 11, 1), steps.get(38));
    var least =
        Shortening.of(
            Schedule.of(1).with(steps),
            schedule ->
                culprits.stream()
                    .allMatch(
                        culprit ->
                            schedule.steps().stream().anyMatch(s -> s.at() == culprit.at())));
    assertThat(least.steps()).isEqualTo(culprits);
  }

  @Test
  void each_mutation_is_of_a_line_that_is_there_once() throws IOException {
    var home = Path.of(System.getProperty("cellmesh.home"));
    var all = MutationMain.all();
    assertThat(all).hasSizeGreaterThan(20);
    for (var mutation : all) {
      assertThat(
              Files.readString(home.resolve(mutation.file()))
                  .split(Pattern.quote(mutation.text()), -1))
          .as(mutation.toString())
          .hasSize(2);
    }
  }

  private void run(long first) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    for (long i = 0; SCHEDULES == null ? System.nanoTime() < end : i < SCHEDULES; i++) {
      var schedule = Schedule.of(first + i);
      var outcome = simulation.run(schedule);
      if (outcome.violation().isPresent()) {
        throw new AssertionError(
            SimulationMain.shortened(simulation, schedule, outcome), outcome.violation().get());
      }
    }
  }
}
