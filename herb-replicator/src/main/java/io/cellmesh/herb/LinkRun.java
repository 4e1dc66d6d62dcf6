package io.cellmesh.herb;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A Streams application that carries one peer's cells, until its first failure. */
final class LinkRun implements AutoCloseable {
  static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(20);

  private static final Logger LOG = LoggerFactory.getLogger(LinkRun.class);

  private final Peer peer;
  private final Pace pace;
  private final KafkaStreams streams;
  private final CompletableFuture<Throwable> failure = new CompletableFuture<>();

  /** Starts it. */
  LinkRun(LinkTerms terms, Ends ends, Peer peer, LinkFigures figures) {
    var topology = ends.topology();
    this.peer = peer;
    this.pace = new Pace(ends.limits().bytesPerSecond());
    this.streams =
        new KafkaStreams(
            HerbTopology.of(terms, topology.topics(), figures),
            LinkSettings.of(LinkStart.group(topology), peer.kafka(), terms.shards(), ends.limits()),
            new PeerClients(ends.here(), pace));
    streams.setStateListener(this::changed);
    streams.setUncaughtExceptionHandler(this::end);
    streams.start();
  }

  boolean isRunning() {
    return streams.state() == KafkaStreams.State.RUNNING;
  }

  /** Records that this process has not fetched yet. */
  long behind() {
    return (long)
        streams.metrics().values().stream()
            .filter(m -> m.metricName().group().equals("consumer-fetch-manager-metrics"))
            .filter(m -> m.metricName().name().equals("records-lag"))
            .mapToDouble(m -> m.metricValue() instanceof Double value ? value : 0)
            .filter(Double::isFinite)
            .sum();
  }

  /**
   * Waits for the failure, however long.
   *
   * @return a {@link HaltException} if that is why; an offset that the log no longer has is none,
   *     for the next start looks at it and says what is gone
   */
  RuntimeException awaitFailure() throws InterruptedException {
    try {
      var what = failure.get();
      for (var cause = what; cause != null; cause = cause.getCause()) {
        if (cause instanceof HaltException halt) {
          return halt;
        }
        if (cause instanceof InvalidOffsetException) {
          return new IllegalStateException(cause.getMessage(), cause);
        }
      }
      return new IllegalStateException(rootOf(what).toString(), what);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    pace.end();
    boolean closed =
        streams.close(
            CloseOptions.groupMembershipOperation(GroupMembershipOperation.LEAVE_GROUP)
                .withTimeout(CLOSE_TIMEOUT));
    if (!closed) {
      LOG.warn("{}: not closed within {} s", peer.link(), CLOSE_TIMEOUT.toSeconds());
    }
  }

  private StreamThreadExceptionResponse end(Throwable what) {
    failure.complete(what);
    return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
  }

  private void changed(KafkaStreams.State now, KafkaStreams.State before) {
    LOG.info("{}: {} -> {}", peer.link(), before, now);
    if (now == KafkaStreams.State.ERROR || now == KafkaStreams.State.NOT_RUNNING) {
      failure.complete(new IllegalStateException("Kafka Streams ended in " + now));
    }
  }

  private static Throwable rootOf(Throwable failure) {
    var root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }
}
