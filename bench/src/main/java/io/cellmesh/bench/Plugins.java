package io.cellmesh.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/**
 * Copies of plugin folders, in an order. Debezium's MySQL connector is in ours as well as in the
 * peer's, and of a class that several plugins have Connect takes the one whose path comes last.
 */
final class Plugins implements AutoCloseable {
  private final Path dir;

  private Plugins(Path dir) {
    this.dir = dir;
  }

  /** Each folder holds one plugin, which is a folder of jars, however deep. */
  static Plugins copy(List<Path> folders) throws IOException {
    var plugins = new Plugins(Files.createTempDirectory("cellmesh-bench-plugins"));
    // Ctrl-C closes nothing.
    Runtime.getRuntime().addShutdownHook(new Thread(plugins::close, "bench-plugins"));
    for (int i = 0; i < folders.size(); i++) {
      plugins.copy(folders.get(i), Integer.toString(i));
    }
    return plugins;
  }

  /** The worker's plugin.path. */
  Path dir() {
    return dir;
  }

  private void copy(Path from, String name) throws IOException {
    var to = Files.createDirectory(dir.resolve(name));
    try (var files = Files.walk(from)) {
      for (var jar : files.filter(file -> file.toString().endsWith(".jar")).toList()) {
        Files.copy(jar, to.resolve(jar.getFileName()));
      }
    }
  }

  @Override
  public synchronized void close() {
    if (!Files.exists(dir)) {
      return;
    }
    try (var files = Files.walk(dir)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
