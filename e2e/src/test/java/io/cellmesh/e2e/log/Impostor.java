package io.cellmesh.e2e.log;

import io.cellmesh.devstack.MySqlServer;
import io.cellmesh.devstack.dist.SparseCopy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A minion's data on the master's address, as a virtual address that moved makes it. Closing puts
 * everything back where it was.
 */
final class Impostor implements AutoCloseable {
  private final MySqlServer master;
  private final MySqlServer minion;

  private Impostor(MySqlServer master, MySqlServer minion) {
    this.master = master;
    this.minion = minion;
  }

  /** Kills the master, and opens a copy of the minion in its place. */
  static Impostor inPlaceOf(MySqlServer master, MySqlServer minion) throws IOException {
    var impostor = new Impostor(master, minion);
    master.kill();
    minion.stop();
    Files.move(master.dataDir(), impostor.aside());
    SparseCopy.directory(minion.dataDir(), master.dataDir(), file -> true);
    impostor.start();
    return impostor;
  }

  MySqlServer server() {
    return master;
  }

  @Override
  public void close() throws IOException {
    master.stop();
    Files.move(master.dataDir(), master.dataDir().resolveSibling("impostor"));
    Files.move(aside(), master.dataDir());
    start();
    minion.start();
    minion.awaitReady();
  }

  private Path aside() {
    return master.dataDir().resolveSibling("aside");
  }

  private void start() {
    master.start();
    master.awaitReady();
    master.openMaster();
  }
}
