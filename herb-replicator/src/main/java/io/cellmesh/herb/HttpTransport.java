package io.cellmesh.herb;

import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.deployment.MissingRightException;
import io.cellmesh.deployment.peer.LogQuestion;
import io.cellmesh.deployment.peer.PeerHttp;
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
    int linger,
    LinkLimits limits,
    MeshWindow.Maker windows,
    LinkStart start)
    implements Transport {
  /** The way to ask the peer's herb-replicator. */
  static PeerSide.Door door(Topology topology, PeerHttp peer) {
    return () -> new HttpSide(peer, topology.topics().log(), peer.describe());
  }

  @Override
  public Run begin(LinkFigures figures) throws InterruptedException {
    var begin = start.run();
    return begin.seed().isPresent() ? seedRun(begin, figures) : cellsRun(begin, figures);
  }

  private Run seedRun(LinkBegin begin, LinkFigures figures) throws InterruptedException {
    var seed = begin.seed().orElseThrow();
    var bounds = bounds(figures);
    try (var opened = new Opened()) {
      var run =
          new SeedRun(
              begin,
              topology,
              opened.add(new HttpSeedReader(peer, seed.id(), seed.next())),
              opened.add(MeshWriter.of(here, compression, linger, bounds.window())),
              opened.add(new MeshPlaces(here, topology.topics().meshPlace()).writer()),
              bounds,
              figures,
              peer.silence());
      opened.handedOver();
      return run;
    }
  }

  private Run cellsRun(LinkBegin begin, LinkFigures figures) throws InterruptedException {
    var bounds = bounds(figures);
    try (var opened = new Opened()) {
      var cells =
          opened.add(
              new HttpCells(
                  next -> peer.cells(new LogQuestion(begin.log(), next)), topology.topics().log()));
      cells.ask(begin.next());
      var run =
          new HttpRun(
              begin,
              topology,
              peer,
              cells,
              opened.add(MeshWriter.of(here, compression, linger, bounds.window())),
              bounds,
              opened.add(
                  new PlaceBook(
                      new MeshPlaces(here, topology.topics().meshPlace()).writer(),
                      begin.terms().peer(),
                      begin.log())),
              figures,
              peer.silence());
      opened.handedOver();
      return run;
    }
  }

  private LinkBounds bounds(LinkFigures figures) throws InterruptedException {
    return new LinkBounds(windows.make(), new Pace(limits.bytesPerSecond(), figures::brought));
  }

  /** Nothing is read on the peer's brokers, so what is missing is missing here. */
  @Override
  public Optional<MissingRightException> missing(Throwable failure) {
    return new LinkRights(here, here, topology.topics(), KafkaTransport.group(topology))
        .missing(failure);
  }
}
