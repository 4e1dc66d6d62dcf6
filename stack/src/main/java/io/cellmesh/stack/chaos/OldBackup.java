package io.cellmesh.stack.chaos;

import io.cellmesh.devstack.MySqlServer;
import io.cellmesh.devstack.dist.Cache;
import io.cellmesh.devstack.dist.SparseCopy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A physical copy of a server, which is put back when it is old. */
final class OldBackup {
  private final MySqlServer server;
  private final Path copy;

  private OldBackup(MySqlServer server, Path copy) {
    this.server = server;
    this.copy = copy;
  }

  /**
   * Stops a server, copies its data directory and starts it again, closed for writes.
   *
   * @param directory that must not be there
   */
  static OldBackup take(MySqlServer server, Path directory) throws IOException {
    server.stop();
    SparseCopy.directory(server.dataDir(), directory, name -> true);
    start(server);
    return new OldBackup(server, directory);
  }

  /** Puts it back: the server is up with what it had then, and all that it committed since gone. */
  void putBack() throws IOException {
    server.kill();
    try (var files = Files.list(server.dataDir())) {
      for (var file : files.toList()) {
        Cache.delete(file);
      }
    }
    SparseCopy.directory(copy, server.dataDir(), name -> true);
    Cache.delete(copy);
    start(server);
  }

  private static void start(MySqlServer server) {
    server.start();
    server.awaitReady();
  }
}
