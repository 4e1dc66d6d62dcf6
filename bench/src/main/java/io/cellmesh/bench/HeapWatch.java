package io.cellmesh.bench;

import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.DevStackException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import jdk.jfr.consumer.RecordingFile;

/** What the collections of a worker's heap have met and left. */
final class HeapWatch {
  private final Flight flight;
  private final Path file;

  private HeapWatch(DevStack stack) {
    this.flight = new Flight(stack.worker(Servers.DATACENTER).pid(), "heap");
    this.file = stack.stateDir().resolve("heap.jfr");
  }

  static HeapWatch begin(DevStack stack) {
    var watch = new HeapWatch(stack);
    watch.flight.beginHeap();
    return watch;
  }

  /**
   * Most bytes of the heap.
   *
   * @param left after a collection
   * @param met before one
   */
  record Peak(long left, long met) {}

  /** Collects once more, so that there is a figure. */
  Peak end() throws IOException {
    flight.heapAfterGc();
    flight.dump(file);
    flight.end();
    long left = 0;
    long met = 0;
    try (var recording = new RecordingFile(file)) {
      while (recording.hasMoreEvents()) {
        var event = recording.readEvent();
        if (event.getEventType().getName().equals("jdk.GCHeapSummary")) {
          long used = event.getLong("heapUsed");
          met = Math.max(met, used);
          left = event.getString("when").equals("After GC") ? Math.max(left, used) : left;
        }
      }
    } finally {
      Files.deleteIfExists(file);
    }
    if (left == 0) {
      throw new DevStackException("the worker's collections were not recorded");
    }
    return new Peak(left, met);
  }
}
