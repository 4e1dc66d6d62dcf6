package io.cellmesh.devstack.shipped;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.zip.ZipInputStream;

/** A Confluent component archive, as the build left it. */
public final class ComponentArchive {

  /**
   * Jars that every worker has. Of most of them a second copy would break the connector: its
   * classes would not be the worker's.
   */
  private static final Pattern WORKERS_OWN =
      Pattern.compile(
          "(kafka|connect|slf4j|log4j|logback|jackson|snakeyaml|zstd|lz4|snappy|jakarta|javax)[_-].*");

  private static final String LIB = "lib/";

  private final Map<String, byte[]> files;

  private ComponentArchive(Map<String, byte[]> files) {
    this.files = files;
  }

  /**
   * The archive of a module.
   *
   * @param module its directory
   * @throws IOException if there is not exactly one, or if a file lies outside its one directory
   */
  public static ComponentArchive of(Path module) throws IOException {
    try (var found = Files.list(module.resolve("target/components/packages"))) {
      var archives = found.toList();
      if (archives.size() != 1) {
        throw new IOException("not one archive but " + archives);
      }
      return read(archives.get(0));
    }
  }

  /** Paths below the archive's one directory. */
  public List<String> paths() {
    return List.copyOf(files.keySet());
  }

  public String text(String path) {
    return new String(files.get(path), StandardCharsets.UTF_8);
  }

  /** The names of the jars in lib/. */
  public List<String> jars() {
    return paths().stream()
        .filter(path -> path.startsWith(LIB))
        .map(path -> path.substring(LIB.length()))
        .toList();
  }

  /** The jars in lib/ that have no business there. */
  public List<String> jarsOfTheWorker() {
    return jars().stream().filter(jar -> WORKERS_OWN.matcher(jar).matches()).toList();
  }

  /**
   * A file inside a jar of lib/.
   *
   * @throws IOException if there is none
   */
  public String textInJar(String jar, String path) throws IOException {
    try (var zip = zip(new ByteArrayInputStream(files.get(LIB + jar)))) {
      for (var entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        if (entry.getName().equals(path)) {
          return new String(zip.readAllBytes(), StandardCharsets.UTF_8);
        }
      }
    }
    throw new IOException(jar + " has no " + path);
  }

  private static ComponentArchive read(Path archive) throws IOException {
    var name = archive.getFileName().toString();
    var directory = name.substring(0, name.length() - ".zip".length()) + "/";
    var files = new TreeMap<String, byte[]>();
    try (var zip = zip(Files.newInputStream(archive))) {
      for (var entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        if (!entry.getName().startsWith(directory)) {
          throw new IOException(entry.getName() + " lies outside " + directory);
        }
        if (!entry.isDirectory()) {
          files.put(entry.getName().substring(directory.length()), zip.readAllBytes());
        }
      }
    }
    return new ComponentArchive(files);
  }

  private static ZipInputStream zip(InputStream in) {
    return new ZipInputStream(in, StandardCharsets.UTF_8);
  }
}
