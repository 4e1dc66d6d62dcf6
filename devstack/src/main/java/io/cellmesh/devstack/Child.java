package io.cellmesh.devstack;

import io.cellmesh.connect.client.Waiting;
import io.cellmesh.devstack.dist.Cache;
import io.cellmesh.devstack.dist.FakeTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A child process that can be made to fail in every way a test wants, and started again on the same
 * port and data.
 *
 * <p>Its methods are for one thread at a time; {@link #isAlive} and {@link #pid} for all.
 */
public abstract class Child implements AutoCloseable {
  /**
   * The shell waits until the guardian knows of it, so that a launcher killed in between leaves
   * nothing behind. A terminal's Ctrl-C and hang-up are the launcher's affair. Where a file may not
   * grow any more a write fails, as on a full disk, rather than end the process.
   */
  private static final String WAIT_THEN_RUN =
      "trap '' HUP INT XFSZ; read -r go || exit 1; exec \"$@\" </dev/null";

  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(20);

  private final String name;
  private final Duration readyTimeout;
  private final Household household;
  private volatile ProcessHandle process;
  private Map<String, String> clock = Map.of();

  Child(String name, Duration readyTimeout, Household household) {
    this.name = name;
    this.readyTimeout = readyTimeout;
    this.household = household;
  }

  /** The program and its arguments. */
  protected abstract List<String> command();

  /** What to add to this JVM's own environment. */
  protected Map<String, String> environment() {
    return Map.of();
  }

  /** Whether it answers; called again and again while it starts. */
  protected abstract boolean answers();

  /** What the memory report counts it under. */
  public abstract String kind();

  public final String name() {
    return name;
  }

  /** Everything it printed, over all its starts. */
  public final Path log() {
    return household.log(name);
  }

  protected final Household household() {
    return household;
  }

  /** Starts it, without waiting until it answers. */
  public void start() {
    if (isAlive()) {
      throw new DevStackException(name + " is running already, as process " + pid());
    }
    var words = new ArrayList<String>(List.of("sh", "-c", WAIT_THEN_RUN, name));
    words.addAll(command());
    try {
      Files.createDirectories(log().getParent());
      // One that was killed could not clear up after itself.
      Cache.delete(household.temporary(name));
      Files.createDirectories(household.temporary(name));
      var builder =
          new ProcessBuilder(words)
              // What a JVM leaves beside it, as the dump of a class archive does, goes with the
              // stack.
              .directory(household.stateDir().toFile())
              .redirectErrorStream(true)
              .redirectOutput(Redirect.appendTo(log().toFile()));
      builder.environment().putAll(environment());
      builder.environment().putAll(clock);
      process = released(builder.start()).toHandle();
    } catch (IOException e) {
      throw new DevStackException(name + " could not be started", e);
    }
  }

  /** Lets the waiting shell go on, once it is known to those who will end it. */
  private Process released(Process shell) throws IOException {
    boolean released = false;
    try (var in = shell.getOutputStream()) {
      household.started(name, shell.pid());
      shell.onExit().thenRun(() -> household.ended(shell.pid()));
      in.write("go\n".getBytes(StandardCharsets.US_ASCII));
      in.flush();
      released = true;
      return shell;
    } finally {
      if (!released) {
        shell.destroyForcibly();
      }
    }
  }

  /**
   * @throws DevStackException if it ends or its time is up before it answers; the message has the
   *     log's name and last lines
   */
  public final void awaitReady() {
    Waiting.until(
        readyTimeout,
        () -> {
          if (!isAlive()) {
            throw failure("ended while starting");
          }
          return answers();
        },
        () -> failure("did not answer within " + readyTimeout.toSeconds() + " s"));
  }

  /** Asks it to stop, and waits until it has; kills it when that takes too long. */
  public void stop() {
    var running = process;
    if (!isAlive()) {
      return;
    }
    running.destroy();
    // A frozen process notices nothing before it runs again.
    signal("CONT");
    if (!ended(running, STOP_TIMEOUT)) {
      kill();
    }
  }

  /**
   * Sets its clock apart, from its next start on; zero sets it right again.
   *
   * @param ahead of the machine's; negative for behind
   * @throws DevStackException where that can't be done, as {@link FakeTime#missing} tells
   */
  public final void setClock(Duration ahead) {
    clock = ahead.isZero() ? Map.of() : FakeTime.environment(ahead);
  }

  /** SIGKILL: what a crash of the process is. */
  public final void kill() {
    var running = process;
    if (isAlive()) {
      running.destroyForcibly();
      ended(running, STOP_TIMEOUT);
    }
  }

  /** SIGSTOP: it keeps its connections and locks and answers nobody. */
  public final void pause() {
    signal("STOP");
  }

  /** SIGCONT, after {@link #pause}. */
  public final void resume() {
    signal("CONT");
  }

  /** Stops it if it runs, starts it on the same port and data, and waits until it answers. */
  public final void restart() {
    stop();
    start();
    awaitReady();
  }

  public final boolean isAlive() {
    var running = process;
    return running != null && running.isAlive();
  }

  /**
   * @throws DevStackException if it has never been started
   */
  public final long pid() {
    var running = process;
    if (running == null) {
      throw new DevStackException(name + " has not been started");
    }
    return running.pid();
  }

  /** Takes over a process that somebody else started, if it is still there. */
  final void adopt() {
    PidFiles.running(household, name).ifPresent(running -> process = running);
  }

  /** Its process, while it runs. */
  final Optional<ProcessHandle> handle() {
    return Optional.ofNullable(process).filter(ProcessHandle::isAlive);
  }

  @Override
  public void close() {
    stop();
  }

  @Override
  public final String toString() {
    return name;
  }

  /**
   * Something went wrong with it; the message has the log's name and its last lines, for a stack
   * that fails may take its files along.
   *
   * @param what for example {@code "ended"}
   */
  public final DevStackException failure(String what) {
    return new DevStackException(
        "%s %s; its log is %s, which ends:%n%s".formatted(name, what, log(), lastLines(15)));
  }

  private String lastLines(int count) {
    try {
      var lines = Files.readString(log(), StandardCharsets.UTF_8).lines().toList();
      return String.join("\n", lines.subList(Math.max(0, lines.size() - count), lines.size()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void signal(String signal) {
    if (isAlive()) {
      Signals.send(signal, List.of(pid()));
    }
  }

  private static boolean ended(ProcessHandle running, Duration timeout) {
    return Waiting.within(timeout, () -> !running.isAlive());
  }
}
