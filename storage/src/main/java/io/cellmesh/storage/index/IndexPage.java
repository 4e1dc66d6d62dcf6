package io.cellmesh.storage.index;

import io.cellmesh.cell.Topology.Server;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a query found.
 *
 * @param hits in the query's order, at most as many as its limit
 * @param next the cursor for {@link IndexQuery#after} if there was more when the page was read
 * @param servers those that the entries are of
 */
public record IndexPage(List<IndexHit> hits, Optional<String> next, Set<Server> servers) {
  public IndexPage {
    hits = List.copyOf(hits);
    servers = Set.copyOf(servers);
  }
}
