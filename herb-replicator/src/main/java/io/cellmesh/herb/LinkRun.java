package io.cellmesh.herb;

import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.KafkaAccess;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.DoubleStream;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A Streams application that carries one peer's cells, until its first failure. */
final class LinkRun implements Transport.Run {
  private static final Logger LOG = LoggerFactory.getLogger(LinkRun.class);

  private final Peer peer;
  private final PlaceBook places;
  private final LinkBounds bounds;
  private final LogBehind behind = new LogBehind();
  private final KafkaStreams streams;
  private final FirstFailure failure = new FirstFailure();
  private final Silence silence;

  /**
   * Starts it.
   *
   * @param places written behind what has arrived; closed with this one
   * @param bounds of its own
   * @param silence after which a peer is away whose brokers send nothing; more than a heartbeat
   *     takes, which is all that they send while all windows are full
   */
  LinkRun(
      LinkTerms terms,
      Topology topology,
      Peer peer,
      KafkaAccess here,
      LinkTuning tuning,
      PlaceBook places,
      LinkBounds bounds,
      LinkFigures figures,
      Duration silence) {
    this.peer = peer;
    this.silence = new Silence(silence);
    this.places = places;
    this.bounds = bounds;
    this.streams =
        new KafkaStreams(
            HerbTopology.of(terms, topology.topics(), figures, bounds.window()),
            LinkSettings.of(
                KafkaTransport.group(topology), peer.kafka(), topology.shards(), tuning),
            new PeerClients(here, OthersLeftOut.of(terms), places::write, bounds, behind));
    streams.setStateListener(this::changed);
    streams.setUncaughtExceptionHandler(this::end);
    streams.start();
  }

  @Override
  public boolean isRunning() {
    return streams.state() == KafkaStreams.State.RUNNING;
  }

  @Override
  public long behind() {
    return behind.records();
  }

  @Override
  public long fetched() {
    return behind.read();
  }

  @Override
  public LinkBounds bounds() {
    return bounds;
  }

  /** An offset that the log no longer has is no halt: the next start says what is gone. */
  @Override
  public Optional<RuntimeException> awaitFailure(Duration within) throws InterruptedException {
    return failure.await(within).map(LinkRun::reason).or(this::silence);
  }

  /** Kafka's clients ask again for ever, and say nothing of it. */
  private Optional<RuntimeException> silence() {
    return silence.lasts(heard(), System.nanoTime())
        ? Optional.of(
            new TimeoutException(
                "%s does not answer: nothing came for %d s"
                    .formatted(peer.bootstrap(), silence.atMost().toSeconds())))
        : Optional.empty();
  }

  /** Bytes that the peer's brokers have sent; no number, which is no silence, if nobody counts. */
  private double heard() {
    var heard = figures("consumer-metrics", "incoming-byte-total").summaryStatistics();
    return heard.getCount() == 0 ? Double.NaN : heard.getSum();
  }

  private DoubleStream figures(String group, String metric) {
    return streams.metrics().values().stream()
        .filter(m -> m.metricName().group().equals(group))
        .filter(m -> m.metricName().name().equals(metric))
        .mapToDouble(m -> m.metricValue() instanceof Double value ? value : 0)
        .filter(Double::isFinite);
  }

  private static RuntimeException reason(Throwable what) {
    for (var cause = what; cause != null; cause = cause.getCause()) {
      if (cause instanceof HaltException halt) {
        return halt;
      }
      if (cause instanceof InvalidOffsetException) {
        return new IllegalStateException(cause.getMessage(), cause);
      }
    }
    return new IllegalStateException(rootOf(what).toString(), what);
  }

  @Override
  public void close() {
    bounds.pace().end();
    boolean closed =
        streams.close(
            CloseOptions.groupMembershipOperation(GroupMembershipOperation.LEAVE_GROUP)
                .withTimeout(Transport.CLOSE_TIMEOUT));
    if (!closed) {
      LOG.warn("{}: not closed within {} s", peer.link(), Transport.CLOSE_TIMEOUT.toSeconds());
    }
    places.close();
  }

  private StreamThreadExceptionResponse end(Throwable what) {
    failure.note(what);
    return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
  }

  private void changed(KafkaStreams.State now, KafkaStreams.State before) {
    LOG.info("{}: {} -> {}", peer.link(), before, now);
    if (now == KafkaStreams.State.ERROR || now == KafkaStreams.State.NOT_RUNNING) {
      failure.note(new IllegalStateException("Kafka Streams ended in " + now));
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
