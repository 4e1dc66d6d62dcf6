package io.cellmesh.connect.sink.simulation;

import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.connect.sink.simulation.ModelledServer.Ledgered;
import io.cellmesh.storage.ConflictLedger;
import io.cellmesh.storage.Decision;
import io.cellmesh.storage.Decision.Place;
import io.cellmesh.storage.NodeUnavailableException;
import io.cellmesh.storage.Position;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The ledgers of the modelled servers, as one process reaches them. */
final class ModelledLedger implements ConflictLedger {
  private final ModelledClient client;

  ModelledLedger(ModelledClient client) {
    this.client = client;
  }

  @Override
  public long countUntold(StorageCluster primary) throws SQLException, NodeUnavailableException {
    return client.ask(
        primary.master(),
        false,
        ModelledClient.ANSWER,
        s -> s.conflicts.values().stream().filter(entry -> !entry.told()).count());
  }

  @Override
  public List<Decision> untold(StorageCluster primary, Map<Integer, Position> reached, int limit)
      throws SQLException, NodeUnavailableException {
    return client.ask(
        primary.master(),
        false,
        ModelledClient.ANSWER,
        s ->
            s.conflicts.values().stream()
                .filter(entry -> !entry.told())
                .map(Ledgered::decision)
                .filter(d -> reached.containsKey(d.place().partition()))
                .filter(d -> d.place().offset() < reached.get(d.place().partition()).of(d.topic()))
                .sorted(
                    Comparator.<Decision>comparingInt(d -> d.place().partition())
                        .thenComparing(Decision::topic)
                        .thenComparingLong(d -> d.place().offset()))
                .limit(limit)
                .toList());
  }

  @Override
  public Set<Place> decided(Server server, Collection<Place> places)
      throws SQLException, NodeUnavailableException {
    return client.ask(
        server,
        false,
        ModelledClient.ANSWER,
        s -> {
          var decided = new HashSet<>(places);
          decided.retainAll(s.conflicts.keySet());
          return decided;
        });
  }

  @Override
  public void told(StorageCluster primary, Collection<Place> places)
      throws SQLException, NodeUnavailableException {
    client.ask(
        primary.master(),
        true,
        ModelledClient.ANSWER,
        s ->
            client.commit(
                s,
                server -> {
                  for (var place : places) {
                    server.conflicts.computeIfPresent(
                        place, (p, entry) -> new Ledgered(withoutRecord(entry.decision()), true));
                  }
                }));
  }

  private static Decision withoutRecord(Decision d) {
    return new Decision(
        d.place(),
        d.topic(),
        d.key(),
        d.kept(),
        d.refused(),
        d.keptOrigin(),
        d.refusedOrigin(),
        Optional.empty());
  }
}
