package io.cellmesh.herb;

import io.cellmesh.cell.LogGeneration;
import io.cellmesh.cell.MeshIdentity;
import io.cellmesh.cell.ReadPlace;
import io.cellmesh.cell.RememberedLog;
import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.MissingRightException;
import io.cellmesh.deployment.Seed;
import io.cellmesh.deployment.SeedTopic;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.errors.TopicAuthorizationException;

/** A peer whose brokers are asked. */
final class KafkaSide implements PeerSide {
  private final Topology topology;
  private final Peer peer;
  private final LinkRights rights;
  private final Admin admin;
  private final TopicDescription log;
  private final LogGroup group;

  /** What the peer's places say; read once, for there are as many as links have written lately. */
  private Optional<Map<String, String>> said = Optional.empty();

  /**
   * @param topology of this data centre
   * @param rights that tell which one is missing
   */
  KafkaSide(Topology topology, Peer peer, LinkRights rights) throws InterruptedException {
    this.topology = topology;
    this.peer = peer;
    this.rights = rights;
    try (var opened = new Opened()) {
      this.admin = opened.add(KafkaAnswer.admin(peer.kafka()));
      var topic = topology.topics().log();
      this.log = KafkaAnswer.topic(admin, topic, peer.kafka());
      this.group =
          new LogGroup(
              admin,
              peer.kafka(),
              KafkaTransport.group(topology),
              topic,
              topology.shards().partitions());
      opened.handedOver();
    }
  }

  @Override
  public String at() {
    return peer.bootstrap();
  }

  @Override
  public RememberedLog log() throws InterruptedException {
    return new RememberedLog(KafkaAnswer.cluster(admin), log.topicId().toString());
  }

  @Override
  public int partitions() {
    return log.partitions().size();
  }

  @Override
  public Optional<MeshIdentity> identity(Consumer<String> doubt) {
    var topic = topology.topics().meshPlace();
    try {
      var identity =
          said().values().stream().map(MeshIdentity::parse).flatMap(Optional::stream).findFirst();
      if (identity.isEmpty()) {
        doubt.accept(
            "%s at %s does not say whose it is; a herb-replicator there says so"
                .formatted(topic, at()));
      }
      return identity;
    } catch (TopicAuthorizationException e) {
      doubt.accept(rights.ofIdentity(e).getMessage());
      return Optional.empty();
    }
  }

  @Override
  public int generation() {
    try {
      return LogGeneration.in(said(), peer.name());
    } catch (TopicAuthorizationException e) {
      // Then the link may not know who the peer is, either, which is told.
      return LogGeneration.FIRST;
    }
  }

  private Map<String, String> said() {
    if (said.isEmpty()) {
      said = Optional.of(new MeshPlaces(peer.kafka(), topology.topics().meshPlace()).read());
    }
    return said.get();
  }

  @Override
  public Map<Integer, Long> committed() throws InterruptedException {
    return group.committed();
  }

  @Override
  public void commit(Map<Integer, Long> places) throws InterruptedException {
    group.commit(places);
  }

  @Override
  public List<ReadPlace> places(Map<Integer, Long> next) throws InterruptedException {
    return group.places(next);
  }

  @Override
  public Optional<Seed> seed(Consumer<String> doubt) throws InterruptedException {
    var here = topology.datacenter();
    try {
      var seed = new SeedTopic(peer.kafka(), topology.topics().seed(here)).read();
      if (seed.isEmpty()) {
        doubt.accept("`cellmesh dc add %s` makes a seed of what is gone".formatted(here));
      }
      return seed;
    } catch (MissingRightException e) {
      doubt.accept(
          "whether there is a seed is not known: " + e.inRole(LinkRights.ROLE).getMessage());
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    admin.close();
  }
}
