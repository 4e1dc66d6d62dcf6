package io.cellmesh.stack.chaos;

import io.cellmesh.devstack.MySqlServer;
import io.cellmesh.devstack.dist.OperatingSystem;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.StreamSupport;

/**
 * Fills a server's disk as far as that can be done beside others and without being root: its binlog
 * is made the largest of its files by a bulk load, and from then on no file may grow beyond it
 * (RLIMIT_FSIZE). A commit then fails in the middle of its event, and mysqld, as its
 * binlog_error_action says, gives up.
 */
final class FileLimit {
  private static final String BALLAST = "chaos_ballast";

  /** Together more than any file of a fresh server that is written to. */
  private static final int ROWS = 10;

  private static final int ROW_BYTES = 4_000_000;

  private FileLimit() {}

  /** Whether this machine has what it takes. */
  static boolean isPossible() {
    return OperatingSystem.isLinux()
        && List.of("/usr/bin/prlimit", "/bin/prlimit").stream()
            .anyMatch(file -> Files.isExecutable(Path.of(file)));
  }

  static void freeze(MySqlServer server) throws IOException, InterruptedException {
    server.execute(
        "CREATE DATABASE IF NOT EXISTS " + BALLAST,
        "CREATE TABLE IF NOT EXISTS " + BALLAST + ".bulk (id INT PRIMARY KEY, filler LONGBLOB)");
    for (int row = 0; row < ROWS; row++) {
      server.execute(
          "REPLACE INTO %s.bulk SELECT %d, REPEAT('x', %d)".formatted(BALLAST, row, ROW_BYTES));
    }
    limit(server, Files.size(binlog(server)) + 1);
  }

  /** The one that is written to: their numbers have leading zeros. */
  private static Path binlog(MySqlServer server) throws IOException {
    try (var files = Files.newDirectoryStream(server.dataDir(), "binlog.[0-9]*")) {
      return StreamSupport.stream(files.spliterator(), false)
          .max(Comparator.naturalOrder())
          .orElseThrow(() -> new IOException(server.name() + " has no binlog"));
    }
  }

  /** To be called when the server is up again, with a limit that is gone with its process. */
  static void drop(MySqlServer server) {
    server.execute("DROP DATABASE IF EXISTS " + BALLAST);
  }

  private static void limit(MySqlServer server, long bytes)
      throws IOException, InterruptedException {
    int exit =
        new ProcessBuilder("prlimit", "--pid", "" + server.pid(), "--fsize=" + bytes + ":unlimited")
            .redirectErrorStream(true)
            .redirectOutput(Redirect.DISCARD)
            .start()
            .waitFor();
    if (exit != 0) {
      throw new IOException("prlimit of " + server.name() + " ended with " + exit);
    }
  }
}
