package io.cellmesh.index;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory with the state stores of all passes, each in a subdirectory of the application's
 * id. It belongs to one process.
 *
 * @param directory is made when the first pass starts
 * @param prefix how the applications' ids begin
 */
record LocalState(Path directory, String prefix) {
  private static final Logger LOG = LoggerFactory.getLogger(LocalState.class);

  /**
   * Removes the state of all passes but these. What can't be removed is tried again by the next
   * call.
   */
  void keepOnly(Set<String> passes) {
    if (!Files.isDirectory(directory)) {
      return;
    }
    try (var states = Files.newDirectoryStream(directory, prefix + "*")) {
      for (var state : states) {
        var pass = state.getFileName().toString().substring(prefix.length());
        if (!passes.contains(pass)) {
          remove(state);
          LOG.info("Removed the local state of pass {}", pass);
        }
      }
    } catch (IOException e) {
      LOG.warn("Local state of a pass that is gone could not be removed: {}", e.toString());
    }
  }

  /** Where the state of a pass lies. */
  Path of(String pass) {
    return directory.resolve(prefix + pass);
  }

  /** Removes the state of a pass, which must not run; nothing if there is none. */
  void remove(String pass) throws IOException {
    if (Files.isDirectory(of(pass))) {
      remove(of(pass));
    }
  }

  private static void remove(Path state) throws IOException {
    try (var files = Files.walk(state)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
