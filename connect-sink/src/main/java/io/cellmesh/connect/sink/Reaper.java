package io.cellmesh.connect.sink;

import io.cellmesh.storage.CopyReaper;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets the {@link CopyReaper} look after the owned partitions now and then, in the background. */
final class Reaper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Reaper.class);

  private final CopyReaper copies;
  private final Lanes lanes;
  private final ScheduledExecutorService thread;

  Reaper(CopyReaper copies, Lanes lanes, String name) {
    this.copies = copies;
    this.lanes = lanes;
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              var daemon = new Thread(task, name);
              daemon.setDaemon(true);
              return daemon;
            });
  }

  void start(Duration interval) {
    thread.scheduleWithFixedDelay(
        this::run, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }

  private void run() {
    var owned = lanes.partitions();
    try {
      if (!owned.isEmpty()) {
        copies.run(first -> owned.contains(first.partition()));
      }
    } catch (SQLException | RuntimeException e) {
      // The schedule must survive; what is not reaped now is reaped later.
      LOG.warn("copies can't be reaped now: {}", e.getMessage());
    }
  }
}
