package io.cellmesh.herb;

import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.deployment.MissingRightException;
import io.cellmesh.deployment.peer.LogQuestion;
import io.cellmesh.deployment.peer.PeerHttp;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what the peer's herb-replicator sends of its own cells, where the peer's brokers can't be
 * reached. The only place is the one that is kept here.
 *
 * @param compression of what is written into the mesh topic, as Kafka calls it
 */
record HttpTransport(
    Topology topology,
    KafkaAccess here,
    PeerHttp peer,
    String compression,
    LinkLimits limits,
    LinkStart start)
    implements Transport {
  private static final Logger LOG = LoggerFactory.getLogger(HttpTransport.class);

  /** A peer sends something each second, if only that there is nothing. */
  private static final Duration SILENCE = Duration.ofSeconds(30);

  /** The way to ask the peer's herb-replicator. */
  static PeerSide.Door door(Topology topology, PeerHttp peer) {
    return () -> new HttpSide(peer, topology.topics().log(), peer.describe());
  }

  @Override
  public Run begin(LinkFigures figures) throws InterruptedException {
    var begin = start.run();
    return begin.seed().isPresent() ? seedRun(begin, figures) : cellsRun(begin, figures);
  }

  private Run seedRun(LinkBegin begin, LinkFigures figures) {
    var seed = begin.seed().orElseThrow();
    var settings = LinkSettings.client(here);
    settings.putAll(LinkSettings.producer(compression));
    return new SeedRun(
        begin,
        topology,
        new HttpSeedReader(peer, seed.id(), seed.next()),
        new MeshWriter(new FailStopProducer(settings)),
        new MeshPlaces(here, topology.topics().meshPlace()).writer(),
        new Pace(limits.bytesPerSecond()),
        figures);
  }

  private Run cellsRun(LinkBegin begin, LinkFigures figures) throws InterruptedException {
    var stream = peer.cells(new LogQuestion(begin.log(), begin.next()));
    boolean begun = false;
    try {
      var settings = LinkSettings.client(here);
      settings.putAll(LinkSettings.producer(compression));
      var run =
          new HttpRun(
              begin,
              topology,
              peer,
              stream,
              new MeshWriter(new FailStopProducer(settings)),
              new PlaceBook(
                  new MeshPlaces(here, topology.topics().meshPlace()).writer(),
                  begin.terms().peer(),
                  begin.log()),
              new Pace(limits.bytesPerSecond()),
              figures,
              SILENCE);
      begun = true;
      return run;
    } finally {
      if (!begun) {
        close(stream);
      }
    }
  }

  private static void close(InputStream stream) {
    try {
      stream.close();
    } catch (IOException e) {
      LOG.debug("A stream that was cut can't be closed", e);
    }
  }

  /** Nothing is read on the peer's brokers, so what is missing is missing here. */
  @Override
  public Optional<MissingRightException> missing(Throwable failure) {
    return new LinkRights(here, here, topology.topics(), KafkaTransport.group(topology))
        .missing(failure);
  }
}
