package io.cellmesh.connect.source;

import com.github.shyiko.mysql.binlog.BinaryLogClient;
import com.github.shyiko.mysql.binlog.BinaryLogClient.AbstractLifecycleListener;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Tells whether a Debezium task will ever hear anything again.
 *
 * <p>When a server is killed, the connection ends without an error: Debezium stops reading and
 * tells nobody. When a host vanishes, it does not even end. A server that is there sends a
 * heartbeat every few seconds when it has nothing else to send.
 */
final class Liveness {
  /** More than a connection may take to come about. */
  private static final Duration CONNECTING = Duration.ofSeconds(6);

  private final Duration patience;
  private final LongSupplier nanoTime;
  private volatile long lastSign;
  private volatile boolean disconnected;
  private volatile boolean confirmed;
  private BinaryLogClient watched;
  private long watchedSince;

  /**
   * @param patience how long to wait for a sign of life, from now on and after each one
   */
  Liveness(Duration patience, LongSupplier nanoTime) {
    this.patience = patience;
    this.nanoTime = nanoTime;
    this.lastSign = nanoTime.getAsLong();
  }

  /** Starts to listen to the connection, unless it does already. */
  void watch(BinaryLogClient client) {
    if (client == watched) {
      return;
    }
    watched = client;
    watchedSince = nanoTime.getAsLong();
    client.registerEventListener(
        event -> {
          confirmed = true;
          sign();
        });
    client.registerLifecycleListener(
        new AbstractLifecycleListener() {
          @Override
          public void onDisconnect(BinaryLogClient client) {
            disconnected = true;
          }
        });
  }

  /** Something was heard. */
  void sign() {
    lastSign = nanoTime.getAsLong();
  }

  /** Whether the server has sent anything. */
  boolean isConfirmed() {
    return confirmed;
  }

  /** For how long nothing was heard. */
  Duration silence() {
    return Duration.ofNanos(nanoTime.getAsLong() - lastSign);
  }

  /** What is wrong, if anything is. */
  Optional<String> loss() {
    if (disconnected || neverConnected()) {
      return Optional.of("the server closed the connection");
    }
    if (nanoTime.getAsLong() - lastSign > patience.toNanos()) {
      return Optional.of("nothing was heard for " + patience.toSeconds() + " s");
    }
    return Optional.empty();
  }

  /** A connection that had ended before it was watched tells nobody. */
  private boolean neverConnected() {
    return watched != null
        && !watched.isConnected()
        && nanoTime.getAsLong() - watchedSince > CONNECTING.toNanos();
  }
}
