package io.cellmesh.bench;

import io.cellmesh.triggers.CellCallback;
import io.cellmesh.triggers.Trigger;
import java.util.concurrent.atomic.LongAdder;

/** Somebody who calls back with each record of the log, from the first on. */
enum CallbackContestant {
  OURS("ours") {
    @Override
    AutoCloseable start(String bootstrap, String group, LongAdder called) throws Exception {
      return trigger(bootstrap, group, cell -> called.increment());
    }
  },
  READING("ours, reading") {
    @Override
    AutoCloseable start(String bootstrap, String group, LongAdder called) throws Exception {
      return trigger(bootstrap, group, cell -> called.add(Math.min(1, cell.record().addedId())));
    }
  },
  PLAIN("plain consumer") {
    @Override
    AutoCloseable start(String bootstrap, String group, LongAdder called) {
      return PlainConsumer.start(bootstrap, group, "earliest", record -> called.increment());
    }
  },
  PARALLEL("Parallel Consumer") {
    @Override
    AutoCloseable start(String bootstrap, String group, LongAdder called) {
      return ParallelConsumer.start(bootstrap, group, called);
    }
  };

  static final int THREADS = 8;

  private final String text;

  CallbackContestant(String text) {
    this.text = text;
  }

  /** A word or two, as in the result. */
  String text() {
    return text;
  }

  /**
   * Starts it. Closing ends it.
   *
   * @param group of nobody before
   * @param called counts the callbacks
   */
  abstract AutoCloseable start(String bootstrap, String group, LongAdder called) throws Exception;

  private static AutoCloseable trigger(String bootstrap, String name, CellCallback callback)
      throws InterruptedException {
    return Trigger.named(name)
        .on("BASE")
        .of(CallbackServers.datacenter(bootstrap))
        .threads(THREADS)
        .call(callback)
        .start();
  }
}
