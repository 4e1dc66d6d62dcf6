package io.cellmesh.operations.mesh;

import io.cellmesh.cell.MeshPlace;
import io.cellmesh.cell.proof.FoldSource;
import io.cellmesh.cell.proof.Stretch;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.peer.PeerAwayException;
import io.cellmesh.deployment.peer.PeerHttp;
import io.cellmesh.deployment.peer.PeerRefusedException;
import io.cellmesh.operations.OperationException;
import io.cellmesh.topics.Consumers;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The log of an origin as another data centre sees it. Where the origin's brokers are out of reach
 * it is read over HTTP, as the data centre's links read it.
 *
 * @param here who reads it; the origin itself for its own cells
 */
record OriginLog(DataCenter origin, DataCenter here) {
  /** How often a peer is asked over HTTP that does not answer. */
  private static final int TRIES = 4;

  /** What a peer is asked over HTTP. */
  private interface Question<T> {
    T ask(PeerHttp peer) throws InterruptedException;
  }

  /** Whether these are the data centre's own cells. */
  boolean isOwn() {
    return origin.name().equals(here.name());
  }

  /**
   * Reads the origin's cells of a partition.
   *
   * @param ranges of each shard
   * @param stretch what is read; over HTTP all is
   * @throws OperationException if the origin does not answer, or refuses
   */
  RangeCells read(
      TopicClients topics, int partition, Map<Integer, List<IdRange>> ranges, Stretch stretch)
      throws InterruptedException {
    var cells = new RangeCells(origin.name(), ranges);
    if (origin.knowsKafka()) {
      var log = origin.topology().topics().log();
      cells.read(topics, origin, log, FoldSource.LOG, partition, stretch);
    } else {
      overHttp(
          peer -> {
            cells.readOverHttp(peer, origin.topology().shards(), partition);
            return cells;
          });
    }
    return cells;
  }

  /**
   * The offset before which the link here has brought everything of a partition; 0 if it has no
   * place in the log as it is now.
   *
   * @throws OperationException as {@link #read}
   */
  long place(int partition) throws InterruptedException {
    if (origin.knowsKafka()) {
      return LinkPlace.of(here, origin).places().stream()
          .filter(place -> place.partition() == partition)
          .mapToLong(place -> place.committed().orElse(0))
          .findFirst()
          .orElse(0);
    }
    var log = overHttp(PeerHttp::describe).log();
    try (var client = Consumers.open(here.kafka())) {
      return MeshPlace.in(new MeshPlaceTopic(here).read(client), origin.name(), log)
          .getOrDefault(partition, 0L);
    }
  }

  private <T> T overHttp(Question<T> question) throws InterruptedException {
    var peer =
        PeerHttp.of(here, origin.name())
            .orElseThrow(
                () ->
                    OperationException.invalid(
                        "the deployment says neither how to reach the brokers of %s, nor under %s that it is read over HTTP"
                            .formatted(origin.name(), here.name())));
    for (int tries = 1; ; tries++) {
      try {
        return question.ask(peer);
      } catch (PeerAwayException e) {
        // Streams that were read before are seen to have ended within a second or two.
        if (tries == TRIES) {
          throw OperationException.unavailable(e.getMessage(), e);
        }
        TimeUnit.SECONDS.sleep(tries);
      } catch (PeerRefusedException e) {
        throw OperationException.refused(e.getMessage());
      }
    }
  }
}
