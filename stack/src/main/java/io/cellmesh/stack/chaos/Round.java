package io.cellmesh.stack.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;

/**
 * Faults that overlap: the first strikes, the others while it lasts. No two of them have a victim
 * in common, and at most one server of all data centres is lost for good.
 */
record Round(List<Fault> faults) {
  /** How many that do not go with the others are passed over. */
  private static final int TRIES = 8;

  /**
   * Takes the next faults of a schedule.
   *
   * @param atOnce how many at most; fewer if the next ones do not go together
   * @param patience for how long a person's command that fails is given again
   */
  static Round next(Schedule schedule, List<Site> sites, int atOnce, Duration patience) {
    var faults = new ArrayList<Fault>();
    for (int i = 0; faults.size() < atOnce && i < atOnce + TRIES; i++) {
      var fault = Fault.of(schedule.next(), sites, patience);
      if (faults.stream().allMatch(fault::goesWith)) {
        faults.add(fault);
      }
    }
    return new Round(List.copyOf(faults));
  }

  /** Names the faults, for the line of their step. */
  String label(int firstNumber) {
    var labels = new ArrayList<String>();
    for (var fault : faults) {
      labels.add(
          "%d %s: %s".formatted(firstNumber + labels.size(), fault.kind().label(), fault.victim()));
    }
    return labels.stream().collect(Collectors.joining("; "));
  }

  /** How long cells may be late afterwards. */
  Duration bound() {
    return faults.stream()
        .map(fault -> fault.kind().bound())
        .max(Comparator.naturalOrder())
        .orElseThrow();
  }

  /** How long nothing happens before it. */
  Duration pause() {
    return faults.get(0).planned().pause();
  }

  /**
   * When what happened to a fault, by {@link System#nanoTime}.
   *
   * @param command when it was begun to be mended
   * @param back when it was
   */
  record Times(long blow, long command, long back) {
    /** From when on the recovery counts. */
    long of(FaultKind.Clock clock) {
      return switch (clock) {
        case BLOW -> blow;
        case COMMAND -> command;
        case RETURN -> back;
      };
    }
  }

  /**
   * Strikes and mends.
   *
   * @return of each fault
   * @throws Exception of the first that could not be done, when all have come to their end
   */
  List<Times> strike() throws Exception {
    var threads = Executors.newFixedThreadPool(faults.size());
    try {
      var works = faults.stream().map(fault -> (Callable<Times>) () -> strike(fault)).toList();
      var times = new ArrayList<Times>();
      for (var done : threads.invokeAll(works)) {
        times.add(done.get());
      }
      return times;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    } finally {
      threads.shutdownNow();
    }
  }

  private Times strike(Fault fault) throws Exception {
    Thread.sleep(delay(fault).toMillis());
    long blow = System.nanoTime();
    fault.blow().run();
    Thread.sleep(fault.planned().hold().toMillis());
    long command = System.nanoTime();
    fault.mend().run();
    return new Times(blow, command, System.nanoTime());
  }

  private Duration delay(Fault fault) {
    var first = faults.get(0);
    if (fault == first) {
      return Duration.ZERO;
    }
    var hold = first.planned().hold();
    var pause = fault.planned().pause();
    return pause.compareTo(hold) < 0 ? pause : hold;
  }
}
