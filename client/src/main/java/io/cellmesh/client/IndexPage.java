package io.cellmesh.client;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A page of an index.
 *
 * @param entries in the query's order
 * @param next the cursor of the page after this one; empty if this is the last
 * @param servedBy the MySQL servers that answered, each {@code CLUSTER/ROLE/HOST:PORT}; none if the
 *     worker does not say
 * @param staleUpTo what the cells have said for longer than this is in the page; empty if nobody
 *     can tell
 */
public record IndexPage(
    List<PageEntry> entries,
    Optional<String> next,
    List<String> servedBy,
    Optional<Duration> staleUpTo) {
  public IndexPage {
    entries = List.copyOf(entries);
    servedBy = List.copyOf(servedBy);
  }
}
