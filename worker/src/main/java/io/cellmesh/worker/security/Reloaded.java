package io.cellmesh.worker.security;

import io.cellmesh.deployment.DeploymentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What stands in files, read anew when they change. A version that can't be used leaves the one
 * before in force, and the log says so once. Contents are compared and not times, which a restored
 * or linked file may not change. Thread-safe.
 */
final class Reloaded<T> {
  private static final Logger LOG = LoggerFactory.getLogger(Reloaded.class);

  private final String what;
  private final List<Path> files;
  private final Reading<T> reading;
  private volatile T current;
  private volatile boolean fresh = true;

  // Guarded by this.
  private List<byte[]> seen;
  private String complaint = "";

  /** Makes something of files. */
  @FunctionalInterface
  interface Reading<T> {
    /**
     * @param contents of each file, in their order
     * @throws IllegalArgumentException if they can't be used; whatever else it throws says so, too
     */
    T read(List<byte[]> contents) throws IOException, GeneralSecurityException;
  }

  private Reloaded(String what, List<Path> files, Reading<T> reading) {
    this.what = what;
    this.files = List.copyOf(files);
    this.reading = reading;
  }

  /**
   * Reads for the first time.
   *
   * @param what it is, for messages
   * @throws DeploymentException if it can't be used
   */
  static <T> Reloaded<T> open(String what, List<Path> files, Reading<T> reading) {
    var opened = new Reloaded<>(what, files, reading);
    try {
      opened.readAnew(opened.contents());
      return opened;
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      throw new DeploymentException(opened.said(e));
    }
  }

  String what() {
    return what;
  }

  /** What is in force. */
  T current() {
    return current;
  }

  /** Whether what is in force is what stands in the files. */
  boolean isFresh() {
    return fresh;
  }

  /** Looks whether the files have changed; true if there is something new in force. */
  synchronized boolean look() {
    try {
      var contents = contents();
      if (same(contents, seen)) {
        return false;
      }
      seen = contents;
      readAnew(contents);
      fresh = true;
      complaint = "";
      LOG.info("{}: what stands in {} is in force", what, files);
      return true;
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      if (e instanceof IOException) {
        seen = null;
      }
      complain(said(e));
      return false;
    }
  }

  private void readAnew(List<byte[]> contents) throws IOException, GeneralSecurityException {
    current = reading.read(contents);
    seen = contents;
  }

  private void complain(String message) {
    fresh = false;
    if (!message.equals(complaint)) {
      complaint = message;
      LOG.error("{}; what was read before stays in force", message);
    }
  }

  private String said(Exception e) {
    var why =
        e instanceof NoSuchFileException missing
            ? missing.getMessage() + " is not there"
            : e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    return "%s %s: %s".formatted(what, files, why);
  }

  private List<byte[]> contents() throws IOException {
    var contents = new ArrayList<byte[]>();
    for (var file : files) {
      // Who writes it decides who may call.
      if (permissions(file).contains(PosixFilePermission.OTHERS_WRITE)) {
        throw new IOException(file + " may be written by everybody; chmod o-w it");
      }
      contents.add(Files.readAllBytes(file));
    }
    return contents;
  }

  /** Of a file system that has none, none. */
  static Set<PosixFilePermission> permissions(Path file) throws IOException {
    try {
      return Files.getPosixFilePermissions(file);
    } catch (UnsupportedOperationException e) {
      return Set.of();
    }
  }

  private static boolean same(List<byte[]> some, List<byte[]> others) {
    if (others == null || some.size() != others.size()) {
      return false;
    }
    for (int i = 0; i < some.size(); i++) {
      if (!Arrays.equals(some.get(i), others.get(i))) {
        return false;
      }
    }
    return true;
  }
}
