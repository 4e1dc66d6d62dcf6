package io.cellmesh.devstack.dist;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * A MySQL that can be run here.
 *
 * @param home what holds {@code bin/} and {@code share/}; empty when mysqld knows for itself
 * @param version for people and for the names of cached directories
 * @param environment what its programs need in theirs, such as LD_LIBRARY_PATH
 */
public record MySqlDist(
    Path mysqld, Optional<Path> home, String version, Map<String, String> environment) {

  public MySqlDist {
    environment = Map.copyOf(environment);
  }

  /** Another program beside mysqld: {@code mysql}, {@code mysqlbinlog}, {@code mysqldump}. */
  public Path program(String name) {
    return mysqld.resolveSibling(name);
  }
}
