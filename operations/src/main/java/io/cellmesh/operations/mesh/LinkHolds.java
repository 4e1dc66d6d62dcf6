package io.cellmesh.operations.mesh;

import io.cellmesh.cell.LinkHold;
import io.cellmesh.cell.LinkHold.Kind;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.operations.OperationException;
import io.cellmesh.topics.Consumers;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Lets the links of a data centre stand still, and go on. Each learns of it within a second, and
 * keeps to it whatever is restarted.
 *
 * @param here the data centre that the cells come to
 */
public record LinkHolds(DataCenter here) {

  /**
   * Finds where the link is held that carries an origin's cells.
   *
   * @param into the data centre that it brings them to
   * @throws OperationException if both are the same
   */
  public static LinkHolds of(Deployment deployment, String origin, String into) {
    var there = deployment.datacenter(Optional.of(origin));
    var here = deployment.datacenter(Optional.of(into));
    if (there.equals(here)) {
      throw OperationException.invalid(
          "%s is both: no link brings a data centre its own cells".formatted(origin));
    }
    return new LinkHolds(here);
  }

  /** What holds links, by their peers. */
  public Map<String, LinkHold> all() {
    try (var client = Consumers.open(here.kafka())) {
      var holds = new TreeMap<String, LinkHold>();
      var known = new MeshPlaceTopic(here).read(client);
      known.keySet().stream()
          .filter(LinkHold::isKey)
          .forEach(key -> LinkHold.parse(known.get(key)).ifPresent(h -> holds.put(peer(key), h)));
      return holds;
    }
  }

  /** What holds the link to a peer. */
  public Optional<LinkHold> of(String peer) {
    return Optional.ofNullable(all().get(peer));
  }

  /**
   * Pauses the link to a peer. One that is paused stays so, as it was said first.
   *
   * @param by who wants it
   * @return what holds it now
   * @throws OperationException if the peer is given up as lost
   */
  public LinkHold pause(String peer, String by) throws InterruptedException {
    var held = of(peer);
    if (held.isPresent()) {
      refuseLost(peer, held.get());
      return held.get();
    }
    return hold(peer, Kind.PAUSED, by);
  }

  /**
   * Lets the link to a peer go on at its place.
   *
   * @return what held it; empty if nothing did
   * @throws OperationException if the peer is given up as lost
   */
  public Optional<LinkHold> resume(String peer) throws InterruptedException {
    var held = of(peer);
    if (held.isPresent()) {
      refuseLost(peer, held.get());
      lift(peer);
    }
    return held;
  }

  /** Whether it is remembered here how far the link to a peer has read. */
  public boolean remembers(String peer) {
    try (var client = Consumers.open(here.kafka())) {
      return new MeshPlaceTopic(here)
          .read(client).keySet().stream()
              .anyMatch(key -> MeshPlaceTopic.isOf(key, peer) && !LinkHold.isKey(key));
    }
  }

  /** Lets the link to a peer go on, whatever holds it. */
  public void lift(String peer) throws InterruptedException {
    new MeshPlaceTopic(here).write(Collections.singletonMap(LinkHold.key(peer), null));
  }

  /** Holds the link to a peer, whatever held it before. */
  LinkHold hold(String peer, Kind kind, String by) throws InterruptedException {
    var hold = new LinkHold(kind, Instant.now().truncatedTo(ChronoUnit.SECONDS), by);
    new MeshPlaceTopic(here).write(Map.of(LinkHold.key(peer), hold.toJson()));
    return hold;
  }

  private void refuseLost(String peer, LinkHold held) {
    if (held.kind() == Kind.LOST) {
      throw OperationException.refused(
          "%s is %s in %s; `cellmesh dc back %s` once it is there again"
              .formatted(peer, held.text(), here.name(), peer));
    }
  }

  private static String peer(String key) {
    return key.substring(0, key.lastIndexOf(':'));
  }
}
