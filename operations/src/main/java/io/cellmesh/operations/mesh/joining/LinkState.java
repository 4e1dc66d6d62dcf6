package io.cellmesh.operations.mesh.joining;

import io.cellmesh.cell.ReadPlace;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.PeerAccess;
import io.cellmesh.operations.mesh.LinkPlace;
import io.cellmesh.topics.Consumers;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/**
 * Whether the link of a data centre to a peer does its work, as far as both Kafkas know.
 *
 * @param here data centre that the cells come to
 * @param peer whose cells they are
 * @param begun whether it has a place in each partition
 * @param runs whether a process is in its group; over HTTP nobody knows, and begun counts
 */
public record LinkState(String here, String peer, boolean begun, boolean runs) {
  /** Asks both. */
  static LinkState of(DataCenter here, DataCenter peer) throws InterruptedException {
    var place = LinkPlace.of(here, peer);
    boolean begun =
        place.places().stream().allMatch(p -> p.state() == ReadPlace.State.FITS)
            || !place.inSeed().isEmpty();
    boolean http = here.mesh().peer(peer.name()) instanceof PeerAccess.Http;
    return new LinkState(here.name(), peer.name(), begun, http ? begun : hasMembers(here, peer));
  }

  /** As people name it. */
  public String name() {
    return "%s from %s".formatted(here, peer);
  }

  private static boolean hasMembers(DataCenter here, DataCenter peer) throws InterruptedException {
    var group = LinkPlace.group(here);
    try (var admin = Consumers.admin(peer.kafka())) {
      return !admin
          .describeConsumerGroups(List.of(group))
          .describedGroups()
          .get(group)
          .get()
          .members()
          .isEmpty();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof GroupIdNotFoundException) {
        return false;
      }
      throw new KafkaException("group " + group + ": " + e.getCause().getMessage(), e.getCause());
    }
  }

  /** The data centres whose herb-replicator has to be started, or started again, for these. */
  static Set<String> toStart(List<LinkState> links) {
    var names = new TreeSet<String>();
    links.stream().filter(link -> !link.runs()).map(LinkState::here).forEach(names::add);
    return names;
  }
}
