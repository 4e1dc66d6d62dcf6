package io.cellmesh.index;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.SortedSet;
import java.util.TreeSet;
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

  /** The passes that have state here, by name. */
  SortedSet<String> passes() {
    var names = new TreeSet<String>();
    if (Files.isDirectory(directory)) {
      try (var states = Files.newDirectoryStream(directory, prefix + "*")) {
        for (var state : states) {
          if (Files.isDirectory(state)) {
            names.add(state.getFileName().toString().substring(prefix.length()));
          }
        }
      } catch (IOException | DirectoryIteratorException e) {
        LOG.warn("{} can't be listed: {}", directory, e.toString());
      }
    }
    return names;
  }

  /** Where the state of a pass lies. */
  Path of(String pass) {
    return directory.resolve(prefix + pass);
  }

  /**
   * Removes the state of a pass, which must not run.
   *
   * @return whether there was any
   */
  boolean remove(String pass) throws IOException {
    boolean found = Files.isDirectory(of(pass));
    if (found) {
      remove(of(pass));
    }
    return found;
  }

  private static void remove(Path state) throws IOException {
    try (var files = Files.walk(state)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}
