package io.cellmesh.index;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Streams application until it is closed. A thread that dies is replaced and goes on at the last
 * committed offset; so whatever it could not do is tried again and nothing is skipped.
 */
final class RunningStreams implements Passes.Running {
  private static final Logger LOG = LoggerFactory.getLogger(RunningStreams.class);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(20);
  private static final long PAUSE_SECONDS = 2;

  private final KafkaStreams streams;
  private final String name;
  private final Set<String> sources;
  private final int threads;
  private final AtomicLong lagMs;
  private final Restoration restoration = new Restoration();
  private final AtomicLong deaths = new AtomicLong();
  private volatile String lastDeath = "";

  /**
   * Starts it.
   *
   * @param sources the topics that it reads
   * @param lagMs where its processor tells how late it is; negative before the first record
   */
  RunningStreams(Topology topology, Properties settings, Set<String> sources, AtomicLong lagMs) {
    this.streams = new KafkaStreams(topology, settings, new PromptClients());
    this.name = settings.getProperty(StreamsConfig.APPLICATION_ID_CONFIG);
    this.sources = sources;
    this.threads = (int) settings.get(StreamsConfig.NUM_STREAM_THREADS_CONFIG);
    this.lagMs = lagMs;
    streams.setStateListener((now, before) -> LOG.info("{}: {} -> {}", name, before, now));
    streams.setUncaughtExceptionHandler(this::replace);
    streams.setGlobalStateRestoreListener(restoration);
    streams.start();
  }

  @Override
  public boolean hasFailed() {
    return streams.state().hasCompletedShutdown();
  }

  @Override
  public PassHealth health() {
    long lag = lagMs.get();
    return new PassHealth(
        streams.state().name(),
        (int)
            streams.metadataForLocalThreads().stream()
                .filter(t -> !t.threadState().equals("DEAD"))
                .count(),
        threads,
        sum("consumer-fetch-manager-metrics", "records-lag"),
        lag < 0 ? OptionalLong.empty() : OptionalLong.of(lag),
        restoration.partitions(),
        restoration.records(),
        sum(Unindexed.METRIC_GROUP, Unindexed.METRIC_TOTAL),
        deaths.get(),
        lastDeath);
  }

  /** Leaves the group at once, so that whoever takes over needn't wait for the session's end. */
  @Override
  public void close() {
    boolean closed =
        streams.close(
            CloseOptions.groupMembershipOperation(GroupMembershipOperation.LEAVE_GROUP)
                .withTimeout(CLOSE_TIMEOUT));
    if (!closed) {
      LOG.warn("{}: not closed within {} s", name, CLOSE_TIMEOUT.toSeconds());
    }
  }

  /** Over all threads and tasks, but not over the topics that state is restored from. */
  private long sum(String group, String metric) {
    return (long)
        streams.metrics().values().stream()
            .filter(m -> m.metricName().group().equals(group))
            .filter(m -> m.metricName().name().equals(metric))
            .filter(this::isOfSources)
            .mapToDouble(m -> m.metricValue() instanceof Double value ? value : 0)
            .filter(Double::isFinite)
            .sum();
  }

  private boolean isOfSources(Metric metric) {
    var topic = metric.metricName().tags().get("topic");
    return topic == null || sources.contains(topic);
  }

  /** An offset that a topic no longer has ends it: the next start says what is gone. */
  private StreamThreadExceptionResponse replace(Throwable failure) {
    for (var cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof InvalidOffsetException) {
        LOG.error("{}: ends, for what it would read next is gone: {}", name, cause.getMessage());
        return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
      }
    }
    deaths.incrementAndGet();
    lastDeath = failure.toString();
    LOG.error("{}: a stream thread died; another takes over in {} s", name, PAUSE_SECONDS, failure);
    try {
      TimeUnit.SECONDS.sleep(PAUSE_SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return StreamThreadExceptionResponse.REPLACE_THREAD;
  }
}
