package io.cellmesh.operations.mesh;

import io.cellmesh.cell.LinkHold.Kind;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.OperationListener.Step;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Brings a data centre that joins the cells of those that were removed. No link does, since each
 * carries its peer's own alone; so in each shard whoever has most relays them, in their origin's
 * order (invariant 9), into its mesh topic. What it has is not brought again, so the same again
 * goes on after an interruption.
 *
 * @param joining the data centre
 * @param peers all others that the deployment names
 */
public record RemovedCells(DataCenter joining, List<DataCenter> peers) {
  public RemovedCells {
    peers = List.copyOf(peers);
  }

  /**
   * Finds those that were removed, by what the peers remember: that they are given up, while no
   * deployment names them.
   *
   * @throws io.cellmesh.operations.OperationException if a peer's Kafka does not answer
   */
  public SortedSet<String> origins() throws Exception {
    var origins = new TreeSet<String>();
    for (var peer : peers) {
      AtDataCenter.run(
          peer,
          () ->
              new LinkHolds(peer)
                  .all()
                  .forEach(
                      (origin, hold) -> {
                        if (hold.kind() == Kind.LOST) {
                          origins.add(origin);
                        }
                      }));
    }
    origins.remove(joining.name());
    peers.forEach(peer -> origins.remove(peer.name()));
    return origins;
  }

  /**
   * Returns when its mesh topic has what anybody has of one of them.
   *
   * @param rate cells a second that are read from entity tables, at most; 0 for as fast as possible
   * @return what nobody has any more, in sentences
   * @throws io.cellmesh.operations.OperationException if a data centre does not answer
   * @throws org.apache.kafka.common.KafkaException if one stops to answer, or refuses a cell
   */
  public List<String> bring(String origin, double rate, Step step) throws Exception {
    var datacenters = new LinkedHashMap<String, DataCenter>();
    var holdings = new LinkedHashMap<String, Holdings>();
    for (var dc : Stream.concat(peers.stream(), Stream.of(joining)).toList()) {
      datacenters.put(dc.name(), dc);
      AtDataCenter.run(dc, () -> holdings.put(dc.name(), Holdings.read(dc, origin)));
    }
    var has = holdings.remove(joining.name());
    var shards = joining.topology().shards();
    var plan = RelayPlan.home(joining.name(), has::last, holdings, shards);
    var relayed = new Relay(datacenters, origin, shards, plan).run(rate, step);
    step.result(
        relayed.cells() == 0
            ? "%s has all cells of %s, which was removed".formatted(joining.name(), origin)
            : "%,d cells of %s, which was removed, relayed to %s"
                .formatted(relayed.cells(), origin, joining.name()));
    return relayed.absence(origin);
  }
}
