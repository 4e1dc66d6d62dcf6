package io.cellmesh.herb;

import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.deployment.MissingRightException;
import java.time.Duration;
import java.util.Optional;

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
    MeshWindow.Maker windows,
    LinkStart start)
    implements Transport {
  /** A peer sends something each second, if only that there is nothing. */
  private static final Duration SILENCE = Duration.ofSeconds(30);

  /** The way to ask the peer's herb-replicator. */
  static PeerSide.Door door(Topology topology, PeerHttp peer) {
    return () -> new HttpSide(peer.at(), topology.topics().log(), peer.describe());
  }

  @Override
  public Run begin(LinkFigures figures) throws InterruptedException {
    var begin = start.run();
    var window = windows.make();
    var cells =
        new HttpCells(
            next -> peer.cells(new LogQuestion(begin.log(), next)), topology.topics().log());
    boolean begun = false;
    try {
      cells.ask(begin.next());
      var settings = LinkSettings.client(here);
      settings.putAll(LinkSettings.producer(compression));
      var run =
          new HttpRun(
              begin,
              topology,
              peer,
              cells,
              new MeshWriter(new FailStopProducer(settings), window),
              window,
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
        cells.close();
      }
    }
  }

  /** Nothing is read on the peer's brokers, so what is missing is missing here. */
  @Override
  public Optional<MissingRightException> missing(Throwable failure) {
    return new LinkRights(here, here, topology.topics(), KafkaTransport.group(topology))
        .missing(failure);
  }
}
