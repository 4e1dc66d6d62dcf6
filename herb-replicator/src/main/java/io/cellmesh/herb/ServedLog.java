package io.cellmesh.herb;

import java.util.Set;

/**
 * An instance's log, as it is served over HTTP.
 *
 * @param allowed the data centres that may read it
 */
record ServedLog(OwnLog log, Set<String> allowed) {
  ServedLog {
    allowed = Set.copyOf(allowed);
  }
}
