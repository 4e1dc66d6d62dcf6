package io.cellmesh.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cellmesh.devstack.DevStackException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;

/** A contestant in a process of its own: it reads the whole log to be warm, and once more. */
public final class CallbackMain {
  private static final CountWait PATIENCE =
      new CountWait(Duration.ofSeconds(60), true, Duration.ofMillis(1));

  private final CallbackContestant contestant;
  private final String bootstrap;
  private final long broker;
  private final long cells;

  private CallbackMain(CallbackContestant contestant, String bootstrap, long broker, long cells) {
    this.contestant = contestant;
    this.bootstrap = bootstrap;
    this.broker = broker;
    this.cells = cells;
  }

  /**
   * Runs until the log is read for the second time.
   *
   * @param args contestant, bootstrap servers, the broker's process id, how many cells the log has,
   *     a name for the group that nobody had, the file that the {@link CallbackRound} goes to; and,
   *     if it is to be profiled, the file for the flight recorder
   */
  public static void main(String[] args) throws Exception {
    var main =
        new CallbackMain(
            CallbackContestant.valueOf(args[0]),
            args[1],
            Long.parseLong(args[2]),
            Long.parseLong(args[3]));
    CallbackRound round = null;
    for (var group : List.of(args[4] + "-warm-up", args[4])) {
      // The warm-up as well: a JVM that first records compiles everything anew.
      round = args.length > 6 ? main.recorded(group, Path.of(args[6])) : main.drain(group);
    }
    new ObjectMapper().writeValue(Path.of(args[5]).toFile(), round);
    // Whatever threads a contestant leaves.
    System.exit(0);
  }

  private CallbackRound recorded(String group, Path file) throws Exception {
    try (var recording = new Recording(Configuration.getConfiguration("profile"))) {
      recording.start();
      var round = drain(group);
      Files.deleteIfExists(file);
      recording.dump(file);
      return round;
    }
  }

  @SuppressWarnings("try") // Only started and closed.
  private CallbackRound drain(String group) throws Exception {
    var called = new LongAdder();
    try (var running = contestant.start(bootstrap, group, called)) {
      long first = await(called, 1);
      var clock = Processor.watchThis(contestant.text(), "broker", broker);
      var before = Threads.of(ProcessHandle.current().pid());
      long fifth = (cells - first) / 5;
      long begin = await(called, first + fifth);
      long middle = System.nanoTime();
      long end = await(called, cells - fifth);
      double steady = (end - begin) / ((System.nanoTime() - middle) / 1e9);
      await(called, cells);
      return new CallbackRound(
          clock.round(cells - first, steady),
          Threads.between(before, Threads.of(ProcessHandle.current().pid())));
    }
  }

  private long await(LongAdder called, long wanted) throws Exception {
    return PATIENCE.until(
        wanted,
        called::sum,
        now ->
            new DevStackException(
                "%s: %,d of %,d cells and no more".formatted(contestant.text(), now, cells)));
  }
}
