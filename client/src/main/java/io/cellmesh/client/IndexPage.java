package io.cellmesh.client;

import java.util.List;
import java.util.Optional;

/**
 * A page of an index.
 *
 * @param entries in the query's order
 * @param next the cursor of the page after this one; empty if this is the last
 * @param servedBy the MySQL server that answered, {@code CLUSTER/ROLE/HOST:PORT}; empty if the
 *     worker does not say
 */
public record IndexPage(List<PageEntry> entries, Optional<String> next, Optional<String> servedBy) {
  public IndexPage {
    entries = List.copyOf(entries);
  }
}
