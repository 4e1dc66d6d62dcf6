package io.cellmesh.herb;

import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.deployment.MissingRightException;
import io.cellmesh.deployment.SeedTopic;
import java.util.Optional;

/**
 * Reads the log on the peer's brokers, in a consumer group there that bears this data centre's
 * name.
 */
record KafkaTransport(
    Topology topology,
    KafkaAccess here,
    Peer peer,
    LinkTuning tuning,
    MeshWindow.Maker windows,
    LinkStart start)
    implements Transport {

  /** The consumer group on the peer's brokers, where every peer of the peer has its own. */
  static String group(Topology topology) {
    return topology.instance() + "-herb-" + topology.datacenter();
  }

  /** The way to ask the peer's brokers. */
  static PeerSide.Door door(Topology topology, KafkaAccess here, Peer peer) {
    return () -> new KafkaSide(topology, peer, rights(topology, here, peer));
  }

  private static LinkRights rights(Topology topology, KafkaAccess here, Peer peer) {
    return new LinkRights(here, peer.kafka(), topology.topics(), group(topology));
  }

  @Override
  public Run begin(LinkFigures figures) throws InterruptedException {
    var begin = start.run();
    if (begin.seed().isPresent()) {
      return seedRun(begin, figures);
    }
    var window = windows.make();
    var places =
        new PlaceBook(
            new MeshPlaces(here, topology.topics().meshPlace()).writer(), peer.name(), begin.log());
    return new LinkRun(begin.terms(), topology, peer, here, tuning, places, window, figures);
  }

  private Run seedRun(LinkBegin begin, LinkFigures figures) throws InterruptedException {
    var window = windows.make();
    var topic = new SeedTopic(peer.kafka(), topology.topics().seed(topology.datacenter()));
    var settings = LinkSettings.client(here);
    settings.putAll(LinkSettings.producer(tuning.compression()));
    return new SeedRun(
        begin,
        topology,
        topic.topic(),
        topic.consumer(),
        new MeshWriter(new FailStopProducer(settings), window),
        new MeshPlaces(here, topology.topics().meshPlace()).writer(),
        new Pace(tuning.limits().bytesPerSecond()),
        window,
        figures);
  }

  @Override
  public Optional<MissingRightException> missing(Throwable failure) {
    return rights(topology, here, peer).missing(failure);
  }
}
