package io.cellmesh.index;

import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Streams application until it is closed. A thread that dies is replaced and goes on at the last
 * committed offset; so whatever it could not do is tried again and nothing is skipped.
 */
final class RunningStreams implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RunningStreams.class);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(20);
  private static final long PAUSE_SECONDS = 2;

  private final KafkaStreams streams;
  private final CountDownLatch ended = new CountDownLatch(1);

  RunningStreams(Topology topology, Properties settings) {
    this.streams = new KafkaStreams(topology, settings);
    streams.setStateListener(this::changed);
    streams.setUncaughtExceptionHandler(RunningStreams::replace);
  }

  void start() {
    streams.start();
  }

  /** Waits until it has ended, which without {@link #close} it does only by a failure. */
  void awaitEnd() throws InterruptedException {
    ended.await();
  }

  /** Leaves the group at once, so that whoever takes over needn't wait for the session's end. */
  @Override
  public void close() {
    boolean closed =
        streams.close(
            CloseOptions.groupMembershipOperation(GroupMembershipOperation.LEAVE_GROUP)
                .withTimeout(CLOSE_TIMEOUT));
    if (!closed) {
      LOG.warn("Not closed within {} s", CLOSE_TIMEOUT.toSeconds());
    }
  }

  private void changed(KafkaStreams.State now, KafkaStreams.State before) {
    LOG.info("State: {} -> {}", before, now);
    if (now == KafkaStreams.State.NOT_RUNNING || now == KafkaStreams.State.ERROR) {
      ended.countDown();
    }
  }

  private static StreamThreadExceptionResponse replace(Throwable failure) {
    LOG.error("A stream thread died; another takes over in {} s", PAUSE_SECONDS, failure);
    try {
      TimeUnit.SECONDS.sleep(PAUSE_SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return StreamThreadExceptionResponse.REPLACE_THREAD;
  }
}
