package io.cellmesh.herb;

import io.cellmesh.cell.Topology;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One peer: a Streams application of its own on threads of its own, so that what happens to it
 * delays no other.
 *
 * <p>It waits for its peer as long as it takes. Whatever fails is tried again from the last
 * committed offset; only what no retry can mend, a corrupt log or another partition count, ends the
 * link.
 */
final class PeerLink implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PeerLink.class);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(20);
  private static final long PAUSE_SECONDS = 2;

  private final Topology topology;
  private final String peer;
  private final String peerBootstrap;
  private final String ownBootstrap;
  private final Thread starter;
  private final CountDownLatch ended = new CountDownLatch(1);
  private KafkaStreams streams;
  private boolean closed;

  /**
   * @param peer the peer's data centre
   */
  PeerLink(Topology topology, String ownBootstrap, String peer, String peerBootstrap) {
    this.topology = topology;
    this.peer = peer;
    this.peerBootstrap = peerBootstrap;
    this.ownBootstrap = ownBootstrap;
    this.starter = new Thread(this::startWhenReady, "link-" + peer);
    starter.setDaemon(true);
  }

  void start() {
    starter.start();
  }

  void awaitEnd() throws InterruptedException {
    ended.await();
  }

  @Override
  public void close() {
    starter.interrupt();
    var running = stopStarting();
    if (running != null
        && !running.close(
            CloseOptions.groupMembershipOperation(GroupMembershipOperation.LEAVE_GROUP)
                .withTimeout(CLOSE_TIMEOUT))) {
      LOG.warn("Link to {}: not closed within {} s", peer, CLOSE_TIMEOUT.toSeconds());
    }
  }

  private synchronized KafkaStreams stopStarting() {
    closed = true;
    return streams;
  }

  private void startWhenReady() {
    try {
      boolean fits =
          fits(topology.topics().mesh(), ownBootstrap)
              && fits(topology.topics().log(), peerBootstrap);
      if (!fits) {
        ended.countDown();
        return;
      }
      while (!started()) {
        TimeUnit.SECONDS.sleep(PAUSE_SECONDS);
      }
    } catch (InterruptedException e) {
      LOG.info("Link to {}: stopped before it began", peer);
    }
  }

  /** Streams resolves its brokers' names when it is made, so that can fail, too. */
  private synchronized boolean started() {
    if (closed) {
      return true;
    }
    var id = topology.instance() + "-herb-" + topology.datacenter();
    try {
      streams =
          new KafkaStreams(
              HerbTopology.of(peer, topology.topics(), topology.shards()),
              LinkSettings.of(id, peerBootstrap),
              new PeerClients(ownBootstrap));
    } catch (KafkaException e) {
      LOG.warn("Link to {}: waiting: {}", peer, e.getMessage());
      return false;
    }
    streams.setStateListener(this::changed);
    streams.setUncaughtExceptionHandler(this::judge);
    streams.start();
    return true;
  }

  private boolean fits(String topic, String bootstrap) throws InterruptedException {
    while (true) {
      try {
        int partitions = PartitionCount.of(topic, bootstrap);
        if (partitions == topology.shards().partitions()) {
          return true;
        }
        LOG.error(
            "Link to {} refused: {} at {} has {} partitions, the topology says partitions: {}; every data centre must have the same",
            peer,
            topic,
            bootstrap,
            partitions,
            topology.shards().partitions());
        return false;
      } catch (PartitionCount.UnknownException e) {
        LOG.warn("Link to {}: waiting: {}", peer, e.getMessage());
        TimeUnit.SECONDS.sleep(PAUSE_SECONDS);
      }
    }
  }

  private void changed(KafkaStreams.State now, KafkaStreams.State before) {
    LOG.info("Link to {}: {} -> {}", peer, before, now);
    if (now == KafkaStreams.State.NOT_RUNNING || now == KafkaStreams.State.ERROR) {
      ended.countDown();
    }
  }

  private StreamThreadExceptionResponse judge(Throwable failure) {
    for (var cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof CorruptLogException) {
        LOG.error("Link to {} stops, nothing is skipped: {}", peer, cause.getMessage());
        return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
      }
    }
    LOG.error(
        "Link to {}: its thread died; another takes over in {} s", peer, PAUSE_SECONDS, failure);
    try {
      TimeUnit.SECONDS.sleep(PAUSE_SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return StreamThreadExceptionResponse.REPLACE_THREAD;
  }
}
