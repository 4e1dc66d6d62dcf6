package io.cellmesh.stack.chaos;

import io.cellmesh.devstack.Child;
import java.util.Random;

/**
 * Stops a process and lets it go on, again and again: so short that nobody takes it for dead, and
 * so often that it is seldom in time.
 */
final class Pulses {
  private static final int SHORTEST_MILLIS = 100;
  private static final int SPREAD_MILLIS = 900;

  private final Child victim;
  private final Random random;
  private final Thread thread = new Thread(this::run, "chaos-pulses");
  private volatile boolean over;

  Pulses(Child victim, long seed) {
    this.victim = victim;
    this.random = new Random(seed);
    thread.setDaemon(true);
  }

  void begin() {
    thread.start();
  }

  /** Returns when it goes on for good. */
  void end() throws InterruptedException {
    over = true;
    thread.join();
  }

  private void run() {
    try {
      while (!over) {
        victim.pause();
        pass();
        victim.resume();
        pass();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      victim.resume();
    }
  }

  private void pass() throws InterruptedException {
    Thread.sleep(SHORTEST_MILLIS + random.nextInt(SPREAD_MILLIS));
  }
}
