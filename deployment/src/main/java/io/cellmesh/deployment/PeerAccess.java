package io.cellmesh.deployment;

import java.net.URI;

/** The way in which a link reads a peer's log. */
public sealed interface PeerAccess {
  /**
   * On the peer's brokers, as {@code kafka} of the peer says.
   *
   * @param threads that read and write, each its own partitions; at least 1
   */
  record Kafka(int threads) implements PeerAccess {
    /** What counts where nothing is said. */
    public static final Kafka USUAL = new Kafka(1);
  }

  /**
   * From the peer's herb-replicator, which sends its own cells.
   *
   * @param url {@code https://host:port}, or {@code http://} to this machine
   */
  record Http(URI url) implements PeerAccess {}
}
