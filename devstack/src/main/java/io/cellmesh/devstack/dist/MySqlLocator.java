package io.cellmesh.devstack.dist;

import io.cellmesh.devstack.DevStackException;
import io.cellmesh.devstack.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Looks for a MySQL server: {@code CELLMESH_MYSQL_HOME}, then {@code mysqld} on PATH unless it is
 * MariaDB or too old, then the cache, which is filled from Maven Central on first use.
 */
public final class MySqlLocator {
  private static final String HOME = "CELLMESH_MYSQL_HOME";

  private final Cache cache;
  private final Progress progress;

  public MySqlLocator(Cache cache, Progress progress) {
    this.cache = cache;
    this.progress = progress;
  }

  /**
   * @throws DevStackException if there is none and none can be fetched; the message says what to do
   */
  public MySqlDist find() {
    var home = System.getenv(HOME);
    if (home != null && !home.isBlank()) {
      return fromHome(Path.of(home));
    }
    var installed = Command.onPath("mysqld").flatMap(MySqlLocator::usable);
    try {
      return installed.isPresent() ? installed.get() : fetched();
    } catch (IOException e) {
      throw new DevStackException(
          "MySQL could not be fetched (%s); without a network, install MySQL 8.0 or later and set %s"
              .formatted(e.getMessage(), HOME),
          e);
    }
  }

  private MySqlDist fromHome(Path home) {
    var mysqld = home.resolve("bin/mysqld").toAbsolutePath();
    if (!Files.isExecutable(mysqld)) {
      throw new DevStackException("%s: there is no program %s".formatted(HOME, mysqld));
    }
    var environment = environment(mysqld);
    var version = version(mysqld, environment);
    if (version.isEmpty() || !version.get().isUsable()) {
      throw new DevStackException(
          "%s: %s is not MySQL %s or later".formatted(HOME, mysqld, MySqlVersion.OLDEST));
    }
    return new MySqlDist(
        mysqld, Optional.of(home.toAbsolutePath()), version.get().toString(), environment);
  }

  private static Optional<MySqlDist> usable(Path mysqld) {
    return version(mysqld, Map.of())
        .filter(MySqlVersion::isUsable)
        .map(v -> new MySqlDist(mysqld, Optional.empty(), v.toString(), Map.of()));
  }

  private MySqlDist fetched() throws IOException {
    var home = new MySqlArchive(cache, progress).unpacked(Platform.current());
    var mysqld = home.resolve("bin/mysqld");
    return new MySqlDist(mysqld, Optional.of(home), MySqlArchive.VERSION, environment(mysqld));
  }

  private Map<String, String> environment(Path mysqld) {
    return OperatingSystem.isLinux()
        ? new SystemLibraries(cache, progress).environment(mysqld)
        : Map.of();
  }

  private static Optional<MySqlVersion> version(Path mysqld, Map<String, String> environment) {
    var result = Command.run(null, environment, List.of(mysqld.toString(), "--version"));
    return result.ok() ? MySqlVersion.parse(result.output()) : Optional.empty();
  }
}
