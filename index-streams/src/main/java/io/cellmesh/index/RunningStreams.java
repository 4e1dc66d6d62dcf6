package io.cellmesh.index;

import io.cellmesh.index.IndexTopology.WrongPartitionsException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.MissingSourceTopicException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Streams application until it is closed. A thread that dies is replaced and goes on at the last
 * committed offset; so whatever it could not do is tried again and nothing is skipped. It ends for
 * what must be settled before it can go on.
 */
final class RunningStreams implements Passes.Running {
  private static final Logger LOG = LoggerFactory.getLogger(RunningStreams.class);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(20);
  private static final String FAILING = "FAILING";

  private final KafkaStreams streams;
  private final String name;
  private final PassRights rights;
  private final int threads;
  private final AtomicLong lagMs;
  private final Restoration restoration = new Restoration();
  private final Consumer<StateDamage> damaged;
  private final ThreadDeaths deaths = new ThreadDeaths(System::nanoTime);
  private final CountDownLatch closing = new CountDownLatch(1);

  /**
   * Starts it.
   *
   * @param rights by which it reads and writes its topics
   * @param lagMs where its processor tells how late it is; negative before the first record
   * @param damaged is told if it ends because its state can't be read
   * @throws KafkaException if it can't be started
   */
  RunningStreams(
      Topology topology,
      Properties settings,
      PassRights rights,
      AtomicLong lagMs,
      Consumer<StateDamage> damaged) {
    this.streams = create(topology, settings);
    this.name = settings.getProperty(StreamsConfig.APPLICATION_ID_CONFIG);
    this.rights = rights;
    this.threads = (int) settings.get(StreamsConfig.NUM_STREAM_THREADS_CONFIG);
    this.lagMs = lagMs;
    this.damaged = damaged;
    streams.setStateListener((now, before) -> LOG.info("{}: {} -> {}", name, before, now));
    streams.setUncaughtExceptionHandler(this::replace);
    streams.setGlobalStateRestoreListener(restoration);
    start();
  }

  /**
   * Streams locks the local state before it makes its clients, and where one can't be made it stays
   * locked until the garbage is collected: the next attempt would be told of another process.
   */
  private static KafkaStreams create(Topology topology, Properties settings) {
    try {
      Admin.create(settings).close(Duration.ZERO);
    } catch (KafkaException e) {
      throw new KafkaException("it can't be started: " + rootOf(e), e);
    }
    return new KafkaStreams(topology, settings, new PromptClients());
  }

  /** Streams opens the local state here, so damage may end it before it has a thread. */
  private void start() {
    try {
      streams.start();
    } catch (RuntimeException e) {
      StateDamage.in(e).ifPresent(damaged);
      close();
      throw new KafkaException("it can't be started: " + rootOf(e), e);
    }
  }

  private static Throwable rootOf(Throwable failure) {
    var root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }

  @Override
  public boolean hasFailed() {
    return hasFailed(streams.state(), livingThreads(), threads);
  }

  /**
   * Whether it has ended, or lacks a thread: one that dies lives on until there is its successor,
   * so none could be made, as while no broker's name can be resolved. Streams tries that once.
   */
  static boolean hasFailed(KafkaStreams.State state, int living, int wanted) {
    return state.hasCompletedShutdown() || state.isRunningOrRebalancing() && living < wanted;
  }

  private int livingThreads() {
    return (int)
        streams.metadataForLocalThreads().stream()
            .filter(t -> !t.threadState().equals("DEAD"))
            .count();
  }

  @Override
  public PassHealth health() {
    long lag = lagMs.get();
    return new PassHealth(
        deaths.isFailing() ? FAILING : streams.state().name(),
        livingThreads(),
        threads,
        sum("consumer-fetch-manager-metrics", "records-lag"),
        lag < 0 ? OptionalLong.empty() : OptionalLong.of(lag),
        restoration.partitions(),
        restoration.records(),
        sum(Unindexed.METRIC_GROUP, Unindexed.METRIC_TOTAL),
        deaths.count(),
        deaths.last());
  }

  /** Leaves the group at once, so that whoever takes over needn't wait for the session's end. */
  @Override
  public void close() {
    closing.countDown();
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
    return topic == null || rights.sources().contains(topic);
  }

  /** What the check before a start finds, too, ends it, so that the next start says it in words. */
  private StreamThreadExceptionResponse replace(Throwable failure) {
    var damage = StateDamage.in(failure);
    if (damage.isPresent()) {
      LOG.error("{}: ends, for its state can't be read: {}", name, damage.get().what());
      damaged.accept(damage.get());
      closing.countDown();
      return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
    }
    for (var cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof InvalidOffsetException
          || cause instanceof MissingSourceTopicException
          || cause instanceof WrongPartitionsException) {
        LOG.error("{}: ends, for its topics are not what they were: {}", name, cause.getMessage());
        closing.countDown();
        return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
      }
    }
    var lack = rights.missing(failure);
    long pause = deaths.add(lack.isPresent() ? lack.get() : failure);
    if (lack.isPresent()) {
      LOG.error("{}: another thread takes over in {} s: {}", name, pause, lack.get().getMessage());
    } else {
      LOG.error("{}: a stream thread died; another takes over in {} s", name, pause, failure);
    }
    try {
      if (closing.await(pause, TimeUnit.SECONDS)) {
        LOG.info("{}: closes instead", name);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return StreamThreadExceptionResponse.REPLACE_THREAD;
  }
}
