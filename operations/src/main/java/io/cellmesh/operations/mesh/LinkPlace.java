package io.cellmesh.operations.mesh;

import io.cellmesh.cell.InstanceNames;
import io.cellmesh.cell.LogGeneration;
import io.cellmesh.cell.MeshIdentity;
import io.cellmesh.cell.MeshPlace;
import io.cellmesh.cell.ReadPlace;
import io.cellmesh.cell.RememberedLog;
import io.cellmesh.cell.Topics;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.operations.GroupPlaces;
import io.cellmesh.topics.Consumers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;

/**
 * Where the link to a peer stands: its offsets with the peer, or else the places that are kept
 * here, and the log that they are of, which is remembered here.
 *
 * @param places one a partition of the peer's log
 * @param inSeed where it stands in the peer's seed, of the partitions that it reads there first
 * @param remembered the log that the link began to read; empty before its first start
 * @param found the peer's log as it is now
 * @param remade whether the peer says that it has made its log again: then the link begins again by
 *     itself where its place is gone
 */
public record LinkPlace(
    DataCenter here,
    DataCenter peer,
    List<ReadPlace> places,
    Map<Integer, Long> inSeed,
    Optional<RememberedLog> remembered,
    RememberedLog found,
    boolean remade) {

  /**
   * Looks at the links from each data centre to each other one, as far as their brokers are within
   * reach.
   *
   * @param unseen is told of the others
   */
  public static List<LinkPlace> all(Deployment deployment, Consumer<String> unseen)
      throws InterruptedException {
    var places = new ArrayList<LinkPlace>();
    for (var here : deployment.datacenters()) {
      for (var peer : deployment.datacenters()) {
        if (peer.equals(here)) {
          continue;
        }
        if (here.knowsKafka() && peer.knowsKafka()) {
          places.add(of(here, peer));
        } else {
          unseen.accept(
              "%s from %s: not looked at from here; its herb-replicator's /health says how it is"
                  .formatted(here.name(), peer.name()));
        }
      }
    }
    return places;
  }

  /** Asks both Kafkas. */
  public static LinkPlace of(DataCenter here, DataCenter peer) throws InterruptedException {
    var topics = here.topology().topics();
    try (var admin = Consumers.admin(peer.kafka());
        var theirs = Consumers.open(peer.kafka());
        var ours = Consumers.open(here.kafka())) {
      var known = new MeshPlaceTopic(here).read(ours);
      var found = found(admin, topics);
      var kept = MeshPlace.in(known, peer.name(), found);
      var places =
          new GroupPlaces(admin, group(here))
              .read(theirs, List.of(topics.log())).stream()
                  .map(place -> further(place, kept))
                  .toList();
      return new LinkPlace(
          here,
          peer,
          places,
          inSeed(known, peer, places),
          RememberedLog.parse(known.get(peer.name())),
          found,
          LogGeneration.in(new MeshPlaceTopic(peer).read(theirs), peer.name())
              > LogGeneration.in(known, peer.name()));
    }
  }

  /** A place in a seed is of no more use where the log has what comes next. */
  private static Map<Integer, Long> inSeed(
      Map<String, String> known, DataCenter peer, List<ReadPlace> places) {
    var next = new TreeMap<Integer, Long>();
    for (var place : places) {
      int partition = place.partition();
      if (place.bad()) {
        MeshPlace.parse(known.get(MeshPlace.seedKey(peer.name(), partition)))
            .ifPresent(found -> next.put(partition, found.next()));
      }
    }
    return next;
  }

  /** Who a data centre says it is; empty where nobody has said so yet. */
  public static Optional<MeshIdentity> identity(DataCenter dc) {
    try (var client = Consumers.open(dc.kafka())) {
      return MeshIdentity.parse(new MeshPlaceTopic(dc).read(client).get(dc.name()));
    }
  }

  /** Kafka's id of a data centre's cluster. */
  public static String cluster(DataCenter dc) throws InterruptedException {
    try (var admin = Consumers.admin(dc.kafka())) {
      return admin.describeCluster().clusterId().get();
    } catch (ExecutionException e) {
      throw new KafkaException(
          "%s: %s".formatted(dc.kafka(), e.getCause().getMessage()), e.getCause());
    }
  }

  /** Of the offset there and the place that is kept here the further one counts. */
  private static ReadPlace further(ReadPlace place, Map<Integer, Long> kept) {
    var next = kept.get(place.partition());
    return next == null || place.committed().orElse(-1) >= next
        ? place
        : new ReadPlace(
            place.topic(), place.partition(), OptionalLong.of(next), place.begin(), place.end());
  }

  /** The link as a person names it. */
  public String name() {
    return "%s from %s".formatted(here.name(), peer.name());
  }

  /** The command that accepts what was found. */
  public String acceptance() {
    return "cellmesh mesh accept --dc %s --peer %s".formatted(here.name(), peer.name());
  }

  /** What keeps the link from going on, in sentences; empty if nothing does. */
  public List<String> findings() {
    var findings = new ArrayList<String>();
    if (remade && remembered.isPresent()) {
      return findings;
    }
    if (isAnotherLog()) {
      findings.add(
          "%s of %s is another one than the link has read: its Kafka cluster and topic were %s, and are %s"
              .formatted(
                  here.topology().topics().log(),
                  peer.name(),
                  remembered.orElseThrow().toJson(),
                  found.toJson()));
    }
    places.stream()
        .filter(place -> place.bad() && !inSeed.containsKey(place.partition()))
        .map(ReadPlace::text)
        .forEach(findings::add);
    return findings;
  }

  /**
   * Moves the link behind what is lost, and to the beginning of a log that is another one, whose
   * cells change nothing where they are stored already. The halted link then goes on by itself.
   */
  public void accept() throws InterruptedException {
    boolean afresh = isAnotherLog();
    var values = new TreeMap<String, String>();
    for (var place : places) {
      long next = afresh ? place.begin() : place.next();
      values.put(
          MeshPlace.key(peer.name(), place.partition()), new MeshPlace(found, next).toJson());
    }
    if (afresh) {
      values.put(peer.name(), found.toJson());
    }
    try (var admin = Consumers.admin(peer.kafka())) {
      new GroupPlaces(admin, group(here)).accept(places, afresh);
    }
    new MeshPlaceTopic(here).write(values);
  }

  /**
   * Asks a link whose peer's brokers can't be reached from here to go on without what is lost. It
   * does within seconds, if it is halted for that.
   */
  public static void ask(DataCenter here, String peer) throws InterruptedException {
    new MeshPlaceTopic(here).write(Map.of(MeshPlace.acceptKey(peer), Instant.now().toString()));
  }

  private boolean isAnotherLog() {
    return remembered.isPresent() && !remembered.get().equals(found);
  }

  /** The group of herb-replicator's links, on the peers' brokers. */
  public static String group(DataCenter here) {
    return InstanceNames.linkGroup(here.topology().instance(), here.name());
  }

  private static RememberedLog found(Admin admin, Topics topics) throws InterruptedException {
    try {
      var cluster = admin.describeCluster().clusterId().get();
      var log = admin.describeTopics(Set.of(topics.log())).allTopicNames().get().get(topics.log());
      return new RememberedLog(cluster, log.topicId().toString());
    } catch (ExecutionException e) {
      throw new KafkaException(e.getCause().getMessage(), e.getCause());
    }
  }
}
