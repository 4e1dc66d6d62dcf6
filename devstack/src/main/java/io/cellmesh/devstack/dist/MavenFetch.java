package io.cellmesh.devstack.dist;

import io.cellmesh.devstack.Progress;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;

/**
 * Gets a file out of the user's local Maven repository or out of Maven Central, through the proxy
 * that the JVM is told of ({@code -Dhttps.proxyHost} and the like).
 */
final class MavenFetch {
  private static final URI CENTRAL = URI.create("https://repo.maven.apache.org/maven2/");
  private static final int CHUNK = 1 << 16;

  private final Progress progress;
  private final URI repository;
  private final HttpClient http =
      HttpClient.newBuilder()
          .proxy(ProxySelector.getDefault())
          .followRedirects(HttpClient.Redirect.NORMAL)
          .connectTimeout(Duration.ofSeconds(20))
          .build();

  MavenFetch(Progress progress) {
    this(progress, CENTRAL);
  }

  /**
   * @param repository ends with a slash
   */
  MavenFetch(Progress progress, URI repository) {
    this.progress = progress;
    this.repository = repository;
  }

  /**
   * Gets a file whose content is known: the local repository's own, or a download. A sum that the
   * host itself tells would prove nothing about the host.
   *
   * @param sha256 of the file, in lower-case hexadecimal digits
   * @param download where a download is put
   * @throws IOException if it can't be had, or is another file; that one is deleted
   */
  Path file(MavenArtifact artifact, String sha256, Path download) throws IOException {
    var local = localRepository().resolve(artifact.path());
    if (Files.isRegularFile(local) && sha256Of(local).equals(sha256)) {
      return local;
    }
    var uri = repository.resolve(artifact.path());
    var actual = download(uri, artifact.fileName(), download);
    if (!actual.equals(sha256)) {
      Files.deleteIfExists(download);
      throw new IOException(
          "%s is not the file that this version of Cellmesh was tested with: its SHA-256 is %s, where %s is expected. Nothing of it was unpacked"
              .formatted(uri, actual, sha256));
    }
    return download;
  }

  private static Path localRepository() {
    var set = System.getProperty("maven.repo.local");
    return set == null || set.isBlank()
        ? Path.of(System.getProperty("user.home"), ".m2", "repository")
        : Path.of(set);
  }

  private String download(URI uri, String what, Path target) throws IOException {
    var response = get(uri, BodyHandlers.ofInputStream());
    long total = response.headers().firstValueAsLong("content-length").orElse(-1);
    var digest = sha256();
    long done = 0;
    try (var in = response.body();
        var out = Files.newOutputStream(target)) {
      var chunk = new byte[CHUNK];
      for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
        out.write(chunk, 0, n);
        digest.update(chunk, 0, n);
        done += n;
        progress.bytes(what, done, total);
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private <T> HttpResponse<T> get(URI uri, HttpResponse.BodyHandler<T> handler) throws IOException {
    try {
      var response = http.send(HttpRequest.newBuilder(uri).build(), handler);
      if (response.statusCode() != 200) {
        throw new IOException(uri + " answers " + response.statusCode());
      }
      return response;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while fetching " + uri, e);
    }
  }

  private static String sha256Of(Path file) throws IOException {
    var digest = sha256();
    try (InputStream in = Files.newInputStream(file)) {
      var chunk = new byte[CHUNK];
      for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
        digest.update(chunk, 0, n);
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
