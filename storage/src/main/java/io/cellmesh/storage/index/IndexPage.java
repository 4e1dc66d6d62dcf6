package io.cellmesh.storage.index;

import java.util.List;
import java.util.Optional;

/**
 * What a query found.
 *
 * @param hits in the query's order, at most as many as its limit
 * @param next the cursor for {@link IndexQuery#after} if there was more when the page was read
 */
public record IndexPage(List<IndexHit> hits, Optional<String> next) {
  public IndexPage {
    hits = List.copyOf(hits);
  }
}
