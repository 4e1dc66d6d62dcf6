package io.cellmesh.client;

import java.time.Duration;

/** What a session's calls ask for beside their input. */
record CallOptions(Duration deadline, ReadFrom readFrom, Reached waitFor, Priority priority) {
  static CallOptions within(Duration deadline) {
    return new CallOptions(deadline, ReadFrom.MASTER, Reached.VISIBLE, Priority.NORMAL);
  }
}
