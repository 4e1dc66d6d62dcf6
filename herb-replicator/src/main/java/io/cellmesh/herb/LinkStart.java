package io.cellmesh.herb;

import io.cellmesh.cell.LinkHold;
import io.cellmesh.cell.LogGeneration;
import io.cellmesh.cell.MeshIdentity;
import io.cellmesh.cell.MeshPlace;
import io.cellmesh.cell.ReadPlace;
import io.cellmesh.cell.ReadPlace.State;
import io.cellmesh.cell.RememberedLog;
import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.KafkaAccess;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks, before a link runs, whether the peer is who it was said to be, whether both route alike,
 * and whether the peer's log still has what comes next (invariants 1, 2 and 9), whichever way the
 * peer is asked. Nothing is changed when it does not; whatever it asks for is asked again by the
 * next look.
 */
final class LinkStart {
  private static final Logger LOG = LoggerFactory.getLogger(LinkStart.class);
  private static final int TOLD = 3;

  /** How long it counts that somebody asked to go on without what is lost. */
  private static final Duration ASKED_FOR = Duration.ofMinutes(10);

  private final Topology topology;
  private final String peer;
  private final Set<String> reached;
  private final Map<String, String> clusters;
  private final KafkaAccess here;
  private final PeerSide.Door door;
  private final MeshPlaces own;
  private String doubt = "";

  /**
   * @param reached this data centre and all peers of the process
   * @param clusters the peers by the ids of their Kafka clusters; all links of a process share it
   * @param door to the peer
   */
  LinkStart(
      Topology topology,
      KafkaAccess here,
      String peer,
      Set<String> reached,
      Map<String, String> clusters,
      PeerSide.Door door) {
    this.topology = topology;
    this.peer = peer;
    this.reached = reached;
    this.clusters = clusters;
    this.here = here;
    this.door = door;
    this.own = new MeshPlaces(here, topology.topics().meshPlace());
  }

  /**
   * Looks at all of it, and keeps here, and with the peer if that has a place of the link, where
   * the link begins if it has never begun.
   *
   * @throws HaltException in words, if the link must not run as it is
   * @throws HeldException if somebody holds it
   * @throws org.apache.kafka.common.KafkaException if one of both Kafkas does not answer, or has no
   *     such topic yet
   * @throws io.cellmesh.deployment.peer.PeerAwayException if the peer does not answer
   * @throws io.cellmesh.deployment.peer.PeerRefusedException if it does not let this data centre
   *     read
   */
  LinkBegin run() throws InterruptedException {
    var topics = topology.topics();
    try (var ours = KafkaAnswer.admin(here)) {
      int partitions = KafkaAnswer.topic(ours, topics.mesh(), here).partitions().size();
      checkPartitions(topics.mesh(), here.bootstrap(), partitions);
      KafkaAnswer.topic(ours, topics.rejected(), here);
      var known = introduce(ours);
      LinkHold.in(known, peer)
          .ifPresent(
              hold -> {
                throw new HeldException(hold);
              });
      try (var there = door.open()) {
        return begin(there, known, KafkaAnswer.cluster(ours));
      }
    }
  }

  /**
   * @param known what the topic of the places holds
   */
  private LinkBegin begin(PeerSide there, Map<String, String> known, String ownCluster)
      throws InterruptedException {
    var found = there.log();
    checkCluster(found.cluster(), ownCluster, there.at());
    checkPartitions(topology.topics().log(), there.at(), there.partitions());
    boolean proven = checkIdentity(there);
    var asked = known.get(MeshPlace.acceptKey(peer));
    int generation = there.generation();
    // A log that was made again has all cells once more: nothing is lost with the place.
    boolean remade = known.containsKey(peer) && generation > LogGeneration.in(known, peer);
    boolean accepted = isFresh(asked) || remade;
    var remembered = RememberedLog.parse(known.get(peer));
    var before = remembered.orElse(found);
    if (!accepted) {
      checkRemembered(before, found, there.at());
    }
    // An offset in another log means nothing in this one.
    var committed = before.equals(found) ? there.committed() : Map.<Integer, Long>of();
    var place = place(there, found, known, committed, accepted);
    if (remembered.isEmpty() || !before.equals(found)) {
      own.write(peer, found.toJson());
    }
    if (generation != LogGeneration.in(known, peer)) {
      LOG.info("{}: reads generation {} of the log of {}", link(), generation, peer);
      own.write(LogGeneration.key(peer), Integer.toString(generation));
    }
    if (asked != null) {
      LOG.warn(
          "{}: was asked to go on without what is lost, {}",
          link(),
          isFresh(asked) ? "and does" : "too long ago to count");
      own.write(MeshPlace.acceptKey(peer), null);
    }
    var terms = new LinkTerms(peer, topology.shards(), reached, proven);
    return new LinkBegin(terms, found, place.next(), place.seed());
  }

  /** One that nobody was there to carry out is not carried out on what is lost later. */
  private static boolean isFresh(String asked) {
    try {
      return asked != null
          && Duration.between(Instant.parse(asked), Instant.now()).abs().compareTo(ASKED_FOR) < 0;
    } catch (DateTimeException e) {
      return false;
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

  /** No other data centre may have the peer's cluster. */
  private void checkCluster(String cluster, String ownCluster, String at) {
    if (cluster.equals(ownCluster)) {
      throw new HaltException(
          "%s is the Kafka of this data centre itself, not of %s".formatted(at, peer));
    }
    clusters.values().remove(peer);
    var other = clusters.putIfAbsent(cluster, peer);
    if (other != null) {
      throw new HaltException(
          "%s is the Kafka of %s, too (cluster %s); one of both addresses is wrong"
              .formatted(at, other, cluster));
    }
  }

  /** Whether the peer has said who it is. */
  private boolean checkIdentity(PeerSide there) {
    var said = there.identity(this::doubt);
    if (said.isEmpty()) {
      return false;
    }
    var wanted = new MeshIdentity(peer, topology.instance(), topology.shards());
    if (!said.get().equals(wanted)) {
      throw new HaltException(
          "%s is not %s: it says that it is %s, and this data centre wants %s; correct its address"
              .formatted(there.at(), peer, said.get().toJson(), wanted.toJson()));
    }
    return true;
  }

  /** Says once why the peer may not be who it was said to be. */
  private void doubt(String why) {
    if (!doubt.equals(why)) {
      LOG.warn("{}: every record is looked at, for {}", link(), why);
      doubt = why;
    }
  }

  private void checkRemembered(RememberedLog before, RememberedLog now, String at) {
    if (before.equals(now)) {
      return;
    }
    var what =
        before.cluster().equals(now.cluster())
            ? "%s of %s was deleted and made again: its id was %s and is %s"
                .formatted(topology.topics().log(), peer, before.log(), now.log())
            : "%s was Kafka cluster %s, and %s is %s"
                .formatted(peer, before.cluster(), at, now.cluster());
    throw new HaltException(what + "; if that is right, " + accept());
  }

  /**
   * Where a link goes on.
   *
   * @param next in the log, by partition
   * @param seed in which it goes on in the others
   */
  private record Place(Map<Integer, Long> next, Optional<LinkSeed> seed) {}

  /**
   * Where the link goes on, by partition. Of the place that is kept here and the one that the peer
   * has, the further one counts: each is written behind what has arrived, and either may be lost,
   * or be of a time before the other was kept. What either lacks it gets.
   *
   * @param known what the topic of the places holds
   * @param accepted whether somebody has said to go on without what is lost
   */
  private Place place(
      PeerSide there,
      RememberedLog found,
      Map<String, String> known,
      Map<Integer, Long> committed,
      boolean accepted)
      throws InterruptedException {
    var kept = MeshPlace.in(known, peer, found);
    var furthest = new TreeMap<>(kept);
    committed.forEach((partition, offset) -> furthest.merge(partition, offset, Math::max));
    var all = there.places(furthest);
    var bad = all.stream().filter(ReadPlace::bad).toList();
    var seed = bad.isEmpty() || accepted ? SeedStart.NONE : seed(there, bad, found, known);
    if (!bad.isEmpty() && !accepted && seed.seed().isEmpty()) {
      throw new HaltException(
          "the log of %s has not all that comes next: %s; %s; to go on without what is lost: %s"
              .formatted(peer, text(bad, there), seed.why(), accept()));
    }
    var places =
        all.stream().filter(place -> seed.seed().isEmpty() || !bad.contains(place)).toList();
    tell(places, committed.isEmpty(), known.containsKey(peer));
    keep(found, changed(places, kept));
    there.commit(changed(places, committed));
    return new Place(changed(places, Map.of()), seed.seed());
  }

  private SeedStart seed(
      PeerSide there, List<ReadPlace> lost, RememberedLog log, Map<String, String> known)
      throws InterruptedException {
    var doubts = new ArrayList<String>();
    var seed = there.seed(doubts::add);
    if (seed.isEmpty()) {
      return SeedStart.without(String.join("; ", doubts));
    }
    var judged = SeedStart.of(seed.get(), peer, lost, log, known, topology.datacenter());
    judged
        .seed()
        .ifPresent(
            found ->
                LOG.info(
                    "{}: first reads the seed in partitions {}", link(), found.log().keySet()));
    return judged;
  }

  private void tell(List<ReadPlace> places, boolean keptHereAlone, boolean begun) {
    if (places.isEmpty()) {
      return;
    }
    if (places.stream().allMatch(place -> place.state() == State.FROM_THE_FIRST)) {
      LOG.info(
          "{}: {} with the first record of its log",
          link(),
          begun
              ? "its offsets are gone, so it begins again (what is stored already changes nothing)"
              : "begins");
    } else if (keptHereAlone) {
      LOG.info("{}: goes on at the place that is kept here", link());
    }
  }

  /** Where the link goes on, but for what is known as it is. */
  private static Map<Integer, Long> changed(List<ReadPlace> places, Map<Integer, Long> known) {
    return places.stream()
        .filter(place -> !Long.valueOf(place.next()).equals(known.get(place.partition())))
        .collect(Collectors.toMap(ReadPlace::partition, ReadPlace::next));
  }

  private void keep(RememberedLog log, Map<Integer, Long> places) {
    if (!places.isEmpty()) {
      try (var book = new PlaceBook(own.writer(), peer, log)) {
        book.write(places);
      }
    }
  }

  private String link() {
    return Peer.link(topology.instance(), peer);
  }

  private String accept() {
    return "`cellmesh mesh accept --dc %s --peer %s`".formatted(topology.datacenter(), peer);
  }

  private static String text(List<ReadPlace> bad, PeerSide there) {
    var told = bad.stream().limit(TOLD).map(there::text).collect(Collectors.joining("; "));
    return bad.size() <= TOLD ? told : "%s; and %d more".formatted(told, bad.size() - TOLD);
  }

  private void checkPartitions(String topic, String at, int partitions) {
    int wanted = topology.shards().partitions();
    if (partitions != wanted) {
      throw new HaltException(
          "%s at %s has %d partitions, the topology says partitions: %d; every data centre must have the same"
              .formatted(topic, at, partitions, wanted));
    }
  }
}
