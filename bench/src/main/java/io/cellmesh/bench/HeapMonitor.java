package io.cellmesh.bench;

import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.DevStackException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import jdk.jfr.consumer.RecordingFile;

/** What the collections of a worker's heap have met and left. */
final class HeapMonitor {
  private final JvmMemory memory;
  private final FlightRecording recording;
  private final Path file;

  private HeapMonitor(DevStack stack) {
    long worker = stack.worker(Servers.DATACENTER).pid();
    this.memory = new JvmMemory(worker);
    this.recording = new FlightRecording(worker, "heap");
    this.file = stack.stateDir().resolve("heap.jfr");
  }

  static HeapMonitor begin(DevStack stack) {
    var monitor = new HeapMonitor(stack);
    monitor.recording.beginHeap();
    return monitor;
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
    memory.heapAfterGc();
    recording.dump(file);
    recording.end();
    long left = 0;
    long met = 0;
    try (var events = new RecordingFile(file)) {
      while (events.hasMoreEvents()) {
        var event = events.readEvent();
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
