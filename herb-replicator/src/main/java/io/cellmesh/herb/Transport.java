package io.cellmesh.herb;

import io.cellmesh.deployment.MissingRightException;
import java.time.Duration;
import java.util.Optional;

/**
 * The way in which a link reads its peer's log. Whichever it is, the peer's own cells end in the
 * mesh topic here in their order, what is damaged in the topic of the rejected, and the link's
 * place is written here behind them.
 */
interface Transport {
  /** How long a run may take to end. */
  Duration CLOSE_TIMEOUT = Duration.ofSeconds(20);

  /**
   * After which a peer is away from which nothing comes. Over HTTP it sends something each second,
   * if only that there is nothing, and brokers answer more often.
   */
  Duration SILENCE = Duration.ofSeconds(30);

  /**
   * Makes sure of the peer, and begins to carry where the link stands.
   *
   * @param figures that it counts in
   * @throws HaltException in words, if the link must not run as it is
   * @throws HeldException if somebody holds it
   * @throws org.apache.kafka.common.KafkaException if one of both Kafkas does not answer
   * @throws io.cellmesh.deployment.peer.PeerAwayException if the peer does not
   * @throws io.cellmesh.deployment.peer.PeerRefusedException if it does not let this data centre
   *     read
   */
  Run begin(LinkFigures figures) throws InterruptedException;

  /** Finds the right whose lack a failure comes from; empty if it has another reason. */
  Optional<MissingRightException> missing(Throwable failure);

  /** A link at work, until its first failure. */
  interface Run extends AutoCloseable {
    /** Whether it reads and writes; not yet while it still joins others that do. */
    boolean isRunning();

    /** Records of the peer's log that were not fetched yet, or are kept back. */
    long behind();

    /**
     * Records of it that were fetched since the run began, and are not kept back; 0 where all are
     * cells of the peer.
     */
    long fetched();

    /** What bounds how much it brings. */
    LinkBounds bounds();

    /**
     * Waits for the failure.
     *
     * @param within how long at most
     * @return a {@link HaltException} if going on would leave cells out, a {@link
     *     io.cellmesh.deployment.peer.PeerAwayException} if the peer no longer answers; empty while
     *     nothing has failed
     */
    Optional<RuntimeException> awaitFailure(Duration within) throws InterruptedException;

    /** Writes the place of what has arrived, and ends within {@link #CLOSE_TIMEOUT}. */
    @Override
    void close();
  }
}
