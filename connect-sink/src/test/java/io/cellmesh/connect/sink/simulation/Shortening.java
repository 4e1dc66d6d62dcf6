package io.cellmesh.connect.sink.simulation;

import java.util.ArrayList;
import java.util.function.Predicate;

/**
 * Leaves out of a schedule that goes wrong what does not matter: as long as it goes wrong in the
 * same way, steps are dropped, many at a time at first, then one by one.
 */
final class Shortening {
  private final Predicate<Schedule> fails;

  private Shortening(Predicate<Schedule> fails) {
    this.fails = fails;
  }

  /**
   * @param schedule that goes wrong
   * @return one that goes wrong in the same way, and does not if any of its steps is left out
   */
  static Schedule of(Simulation simulation, Schedule schedule) {
    var kind = simulation.run(schedule).kind();
    return of(
        schedule,
        shorter -> {
          var outcome = simulation.run(shorter);
          return outcome.violation().isPresent() && outcome.kind().equals(kind);
        });
  }

  static Schedule of(Schedule schedule, Predicate<Schedule> fails) {
    var shortening = new Shortening(fails);
    return shortening.smaller(shortening.shorter(schedule));
  }

  private Schedule shorter(Schedule schedule) {
    var steps = new ArrayList<>(schedule.steps());
    for (int size = Math.max(1, steps.size() / 2); size > 0; ) {
      boolean dropped = false;
      for (int from = steps.size() - size; from >= 0; from -= size) {
        var fewer = new ArrayList<>(steps);
        fewer.subList(from, from + size).clear();
        if (fails.test(schedule.with(fewer))) {
          steps = fewer;
          dropped = true;
        }
      }
      // One that could not go before may go now.
      size = dropped && size == 1 ? Math.min(1, steps.size()) : size / 2;
    }
    return schedule.with(steps);
  }

  /** Produces less, where that is enough. */
  private Schedule smaller(Schedule schedule) {
    var least = schedule;
    for (int i = 0; i < schedule.steps().size(); i++) {
      var step = least.steps().get(i);
      if (step.kind() == Step.Kind.PRODUCE && step.size() > 1) {
        var steps = new ArrayList<>(least.steps());
        steps.set(i, new Step(step.at(), step.kind(), step.which(), 1));
        least = fails.test(least.with(steps)) ? least.with(steps) : least;
      }
    }
    return least;
  }
}
