package io.cellmesh.connect.sink.simulation;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/** Runs many schedules. */
public final class SimulationMain {
  private SimulationMain() {}

  /**
   * @param arguments the first seed, and how many; with a third one the story of the first is told
   */
  public static void main(String[] arguments) {
    ((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)).setLevel(Level.OFF);
    long first = Long.parseLong(arguments[0]);
    long count = Long.parseLong(arguments[1]);
    boolean tell = arguments.length > 2;
    var simulation = new Simulation();
    long begin = System.nanoTime();
    long digest = 0;
    int bad = 0;
    for (long seed = first; seed < first + count; seed++) {
      var schedule = Schedule.of(seed);
      var outcome = simulation.run(schedule, tell);
      digest = digest * 31 + outcome.digest();
      if (tell) {
        System.out.println(schedule);
        outcome.story().forEach(System.out::println);
      }
      if (outcome.violation().isPresent()) {
        bad++;
        System.out.println("seed " + seed + ": " + outcome.violation().get());
        if (tell || !Simulation.isViolation(outcome.violation().get())) {
          outcome.violation().get().printStackTrace(System.out);
        }
      }
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    System.out.printf(
        "%d schedules in %.1f s, %.0f a minute, %d violated, digest %x%n",
        count, seconds, 60 * count / seconds, bad, digest);
    System.exit(bad == 0 ? 0 : 1);
  }
}
