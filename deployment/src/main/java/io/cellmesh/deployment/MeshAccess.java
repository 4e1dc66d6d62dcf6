package io.cellmesh.deployment;

import java.util.Map;
import java.util.Optional;

/**
 * How the links of a data centre read its peers, and how its peers read here over HTTP.
 *
 * @param compression of what links write into the mesh topic, as Kafka calls it: {@code none},
 *     {@code lz4} or {@code zstd}
 * @param linger milliseconds that a link may wait for more of a peer's cells, at its brokers and
 *     once more before it writes them: 0 to 1,000; 0 has each come as soon as it can
 * @param window most cells of each link that stand in a partition of the mesh topic and that this
 *     data centre's sink has not passed
 * @param share of what this data centre's sink passes that a link brings of a backlog while others'
 *     cells come: 0.1 to 1
 * @param peers how each peer is read; one that is not named is read on its brokers, by one thread
 * @param server where peers may read over HTTP; empty where none does
 */
public record MeshAccess(
    String compression,
    int linger,
    int window,
    double share,
    Map<String, PeerAccess> peers,
    Optional<MeshServer> server) {
  /** The window where none is said. */
  public static final int WINDOW = 250;

  /**
   * The share where none is said. What comes at random to one server waits as 1 / (1 - load)
   * (M/M/1), so a backlog that takes a share <i>s</i> of what was free has others wait 1 / (1 -
   * <i>s</i>) times as long: a half would use up the twice that is promised.
   */
  public static final double SHARE = 0.3;

  /** What counts where nothing is said. */
  public static final MeshAccess USUAL =
      new MeshAccess("lz4", 0, WINDOW, SHARE, Map.of(), Optional.empty());

  public MeshAccess {
    peers = Map.copyOf(peers);
  }

  /** How to read a peer. */
  public PeerAccess peer(String name) {
    return peers.getOrDefault(name, PeerAccess.Kafka.USUAL);
  }
}
