package io.cellmesh.connect.sink.simulation;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.LoggerFactory;

/**
 * Runs many schedules, each by its seed, and says how many a minute. What goes wrong is shortened
 * and told, and the exit code is 1.
 *
 * <p>Arguments, {@code name=value}: {@code first}, the first seed (a fresh one by default); {@code
 * schedules} and {@code seconds}, after which it ends, whatever comes first; {@code wrong}, the
 * number of schedules gone wrong after which it ends (10); {@code story=yes} to tell what happens
 * in each; {@code ledger}, a file that a line is added to, with {@code commit}.
 */
public final class SimulationMain {
  private final Map<String, String> arguments;
  private final Simulation simulation = new Simulation();

  private SimulationMain(Map<String, String> arguments) {
    this.arguments = arguments;
  }

  public static void main(String[] arguments) throws IOException {
    silence();
    var named =
        Arrays.stream(arguments)
            .map(argument -> argument.split("=", 2))
            .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
    System.exit(new SimulationMain(named).run() == 0 ? 0 : 1);
  }

  /** What the core logs in an outage is as expected as the outage. */
  static void silence() {
    ((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)).setLevel(Level.OFF);
  }

  private long number(String name, long otherwise) {
    return arguments.containsKey(name) ? Long.parseLong(arguments.get(name)) : otherwise;
  }

  private int run() throws IOException {
    long first = number("first", ThreadLocalRandom.current().nextLong(1L << 40));
    long schedules = number("schedules", Long.MAX_VALUE);
    long limit = TimeUnit.SECONDS.toNanos(number("seconds", 60));
    long begin = System.nanoTime();
    long digest = 0;
    long count = 0;
    int wrong = 0;
    while (count < schedules && wrong < number("wrong", 10) && System.nanoTime() - begin < limit) {
      var schedule = Schedule.of(first + count++);
      var outcome = simulation.run(schedule, arguments.containsKey("story"));
      digest = digest * 31 + outcome.digest();
      outcome.story().forEach(System.out::println);
      if (outcome.violation().isPresent()) {
        wrong++;
        System.out.print(shortened(simulation, schedule, outcome));
      }
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    System.out.printf(
        "%,d schedules from seed %d in %.1f s, %,.0f a minute; %d went wrong; digest %x%n",
        count, first, seconds, 60 * count / seconds, wrong, digest);
    if (arguments.containsKey("ledger")) {
      enter(first, count, wrong, Math.round(seconds));
    }
    return wrong;
  }

  private void enter(long first, long count, int wrong, long seconds) throws IOException {
    var file = Path.of(arguments.get("ledger"));
    var head = Files.exists(file) ? "" : "date,commit,first seed,schedules,went wrong,seconds\n";
    var line =
        "%s,%s,%d,%d,%d,%d%n"
            .formatted(
                LocalDate.now(),
                arguments.getOrDefault("commit", ""),
                first,
                count,
                wrong,
                seconds);
    Files.writeString(file, head + line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /** What went wrong, and the shortest schedule in which it does, with its story. */
  static String shortened(Simulation simulation, Schedule schedule, Simulation.Outcome outcome) {
    var wrong = outcome.violation().orElseThrow();
    var text = new StringBuilder("=== seed " + schedule.seed() + ": " + wrong.getMessage() + "\n");
    var least = Shortening.of(simulation, schedule);
    var again = simulation.run(least, true);
    text.append(least).append("\n---\n");
    again.story().forEach(line -> text.append(line).append('\n'));
    again
        .violation()
        .filter(e -> !Simulation.isViolation(e))
        .ifPresent(
            e -> {
              for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                text.append(cause).append('\n');
                Arrays.stream(cause.getStackTrace())
                    .limit(8)
                    .forEach(frame -> text.append("  at ").append(frame).append('\n'));
              }
            });
    return text.toString();
  }
}
