package io.cellmesh.herb;

import io.cellmesh.cell.InstanceNames;
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
    return InstanceNames.linkGroup(topology.instance(), topology.datacenter());
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
    var bounds =
        new LinkBounds(
            windows.make(), new Pace(tuning.limits().bytesPerSecond(), figures::brought));
    try (var opened = new Opened()) {
      var places = opened.add(new MeshPlaces(here, topology.topics().meshPlace()).writer());
      var run =
          begin.seed().isPresent()
              ? seedRun(begin, opened, places, bounds, figures)
              : new LinkRun(
                  begin.terms(),
                  topology,
                  peer,
                  here,
                  tuning,
                  new PlaceBook(places, peer.name(), begin.log()),
                  bounds,
                  figures,
                  SILENCE);
      opened.handedOver();
      return run;
    }
  }

  private Run seedRun(
      LinkBegin begin,
      Opened opened,
      MeshPlaces.Writer places,
      LinkBounds bounds,
      LinkFigures figures) {
    var topic = new SeedTopic(peer.kafka(), topology.topics().seed(topology.datacenter()));
    return new SeedRun(
        begin,
        topology,
        opened.add(
            new KafkaSeedReader(
                opened.add(topic.consumer()), topic.topic(), begin.seed().orElseThrow().next())),
        opened.add(MeshWriter.of(here, tuning.compression(), tuning.linger(), bounds.window())),
        places,
        bounds,
        figures,
        SILENCE);
  }

  @Override
  public Optional<MissingRightException> missing(Throwable failure) {
    return rights(topology, here, peer).missing(failure);
  }
}
