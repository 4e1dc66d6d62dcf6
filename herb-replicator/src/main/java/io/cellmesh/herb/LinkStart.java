package io.cellmesh.herb;

import io.cellmesh.cell.MeshIdentity;
import io.cellmesh.cell.ReadPlace;
import io.cellmesh.cell.ReadPlace.State;
import io.cellmesh.cell.RememberedLog;
import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.KafkaAccess;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks, before a link runs, whether the peer is who it was said to be, whether both route alike,
 * and whether the peer's log still has what comes next (invariants 1, 2 and 9). Nothing is changed
 * when it does not; whatever it asks for is asked again by the next look.
 */
final class LinkStart {
  private static final Logger LOG = LoggerFactory.getLogger(LinkStart.class);
  private static final int TOLD = 3;

  private final Topology topology;
  private final Peer peer;
  private final Set<String> reached;
  private final Map<String, String> clusters;
  private final KafkaAccess here;
  private final MeshPlaces own;
  private final LinkRights rights;
  private String doubt = "";

  /**
   * @param reached this data centre and all peers of the process
   * @param clusters the peers by the ids of their Kafka clusters; all links of a process share it
   */
  LinkStart(
      Topology topology,
      KafkaAccess here,
      Peer peer,
      Set<String> reached,
      Map<String, String> clusters) {
    this.topology = topology;
    this.peer = peer;
    this.reached = reached;
    this.clusters = clusters;
    this.here = here;
    this.own = new MeshPlaces(here, topology.topics().meshPlace());
    this.rights = new LinkRights(here, peer.kafka(), topology.topics(), group(topology));
  }

  LinkRights rights() {
    return rights;
  }

  /** The consumer group on the peer's brokers, where every peer of the peer has its own. */
  static String group(Topology topology) {
    return topology.instance() + "-herb-" + topology.datacenter();
  }

  /**
   * Looks at all of it, and commits where the link begins if it has never begun.
   *
   * @throws HaltException in words, if the link must not run as it is
   * @throws org.apache.kafka.common.KafkaException if one of both Kafkas does not answer, or has no
   *     such topic yet
   */
  LinkTerms run() throws InterruptedException {
    var topics = topology.topics();
    try (var ours = KafkaAnswer.admin(here);
        var there = KafkaAnswer.admin(peer.kafka())) {
      checkPartitions(topic(ours, topics.mesh(), here), here.bootstrap());
      topic(ours, topics.rejected(), here);
      var known = introduce(ours);
      var log = topic(there, topics.log(), peer.kafka());
      var found = new RememberedLog(checkCluster(cluster(ours), there), log.topicId().toString());
      checkPartitions(log, peer.bootstrap());
      boolean proven = checkIdentity();
      var remembered = RememberedLog.parse(known.get(peer.name()));
      checkRemembered(remembered, found);
      place(there, remembered.isPresent());
      if (remembered.isEmpty()) {
        own.write(peer.name(), found.toJson());
      }
      return new LinkTerms(peer.name(), topology.shards(), reached, proven);
    }
  }

  /** Says here who this data centre is, for its peers to read; returns what the topic holds. */
  private Map<String, String> introduce(Admin ours) throws InterruptedException {
    var known = own.read();
    var self = MeshIdentity.of(topology);
    if (!self.toJson().equals(known.get(self.datacenter()))) {
      own.create(ours);
      own.write(self.datacenter(), self.toJson());
    }
    return known;
  }

  /** The peer's cluster, if no other data centre has it. */
  private String checkCluster(String ownCluster, Admin there) throws InterruptedException {
    var cluster = cluster(there);
    if (cluster.equals(ownCluster)) {
      throw new HaltException(
          "%s is the Kafka of this data centre itself, not of %s"
              .formatted(peer.bootstrap(), peer.name()));
    }
    clusters.values().remove(peer.name());
    var other = clusters.putIfAbsent(cluster, peer.name());
    if (other != null) {
      throw new HaltException(
          "%s is the Kafka of %s, too (cluster %s); one of both addresses is wrong"
              .formatted(peer.bootstrap(), other, cluster));
    }
    return cluster;
  }

  /** Whether the peer has said who it is. */
  private boolean checkIdentity() {
    var topic = topology.topics().meshPlace();
    Optional<MeshIdentity> said;
    try {
      said = said(new MeshPlaces(peer.kafka(), topic));
    } catch (TopicAuthorizationException e) {
      doubt(rights.ofIdentity(e).getMessage());
      return false;
    }
    if (said.isEmpty()) {
      doubt(
          "%s at %s does not say whose it is; a herb-replicator there says so"
              .formatted(topic, peer.bootstrap()));
      return false;
    }
    var wanted = new MeshIdentity(peer.name(), topology.instance(), topology.shards());
    if (!said.get().equals(wanted)) {
      throw new HaltException(
          "%s is not %s: it says that it is %s, and this data centre wants %s; correct its address"
              .formatted(peer.bootstrap(), peer.name(), said.get().toJson(), wanted.toJson()));
    }
    return true;
  }

  private static Optional<MeshIdentity> said(MeshPlaces there) {
    return there.read().values().stream()
        .map(MeshIdentity::parse)
        .flatMap(Optional::stream)
        .findFirst();
  }

  /** Says once why the peer may not be who it was said to be. */
  private void doubt(String why) {
    if (!doubt.equals(why)) {
      LOG.warn("{}: every record is looked at, for {}", peer.link(), why);
      doubt = why;
    }
  }

  private void checkRemembered(Optional<RememberedLog> before, RememberedLog now) {
    if (before.isEmpty() || before.get().equals(now)) {
      return;
    }
    var what =
        before.get().cluster().equals(now.cluster())
            ? "%s of %s was deleted and made again: its id was %s and is %s"
                .formatted(topology.topics().log(), peer.name(), before.get().log(), now.log())
            : "%s was Kafka cluster %s, and %s is %s"
                .formatted(peer.name(), before.get().cluster(), peer.bootstrap(), now.cluster());
    throw new HaltException(what + "; if that is right, " + accept());
  }

  private void place(Admin there, boolean begun) throws InterruptedException {
    var group =
        new LogGroup(
            there,
            peer.kafka(),
            group(topology),
            topology.topics().log(),
            topology.shards().partitions());
    var places = group.places();
    var bad = places.stream().filter(ReadPlace::bad).toList();
    if (!bad.isEmpty()) {
      throw new HaltException(
          "the log of %s has not all that comes next: %s; to go on without what is lost: %s"
              .formatted(peer.name(), text(bad), accept()));
    }
    var fresh = places.stream().filter(p -> p.state() == State.FROM_THE_FIRST).count();
    if (fresh == places.size()) {
      LOG.info(
          "{}: {} with the first record of its log",
          peer.link(),
          begun
              ? "its offsets are gone, so it begins again (what is stored already changes nothing)"
              : "begins");
    }
    group.commit(places);
  }

  private String accept() {
    return "`cellmesh mesh accept --dc %s --peer %s`".formatted(topology.datacenter(), peer.name());
  }

  private static String text(List<ReadPlace> bad) {
    var told = bad.stream().limit(TOLD).map(ReadPlace::text).collect(Collectors.joining("; "));
    return bad.size() <= TOLD ? told : "%s; and %d more".formatted(told, bad.size() - TOLD);
  }

  private void checkPartitions(TopicDescription topic, String bootstrap) {
    int wanted = topology.shards().partitions();
    if (topic.partitions().size() != wanted) {
      throw new HaltException(
          "%s at %s has %d partitions, the topology says partitions: %d; every data centre must have the same"
              .formatted(topic.name(), bootstrap, topic.partitions().size(), wanted));
    }
  }

  private static TopicDescription topic(Admin admin, String name, KafkaAccess kafka)
      throws InterruptedException {
    return KafkaAnswer.of(
        admin.describeTopics(Set.of(name)).topicNameValues().get(name), name, kafka);
  }

  private static String cluster(Admin admin) throws InterruptedException {
    return KafkaAnswer.of(admin.describeCluster().clusterId(), "Kafka");
  }
}
