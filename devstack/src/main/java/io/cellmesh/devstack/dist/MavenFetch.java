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
import java.nio.charset.StandardCharsets;
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
  private static final String CENTRAL = "https://repo.maven.apache.org/maven2/";
  private static final int CHUNK = 1 << 16;

  private final Progress progress;
  private final HttpClient http =
      HttpClient.newBuilder()
          .proxy(ProxySelector.getDefault())
          .followRedirects(HttpClient.Redirect.NORMAL)
          .connectTimeout(Duration.ofSeconds(20))
          .build();

  MavenFetch(Progress progress) {
    this.progress = progress;
  }

  /**
   * The file, its SHA-1 checked: the local repository's own, or a download.
   *
   * @param download where a download is put
   */
  Path file(MavenArtifact artifact, Path download) throws IOException {
    var local = localRepository().resolve(artifact.path());
    var localSha1 = local.resolveSibling(local.getFileName() + ".sha1");
    if (Files.isRegularFile(local)
        && Files.isRegularFile(localSha1)
        && sha1Of(local).equals(firstWord(Files.readString(localSha1)))) {
      return local;
    }
    var uri = URI.create(CENTRAL + artifact.path());
    var expected = firstWord(text(URI.create(uri + ".sha1")));
    var actual = download(uri, artifact.fileName(), download);
    if (!actual.equals(expected)) {
      throw new IOException(
          "%s: the SHA-1 is %s, where %s is expected".formatted(uri, actual, expected));
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
    var digest = sha1();
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

  private String text(URI uri) throws IOException {
    return get(uri, BodyHandlers.ofString(StandardCharsets.US_ASCII)).body();
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

  private static String sha1Of(Path file) throws IOException {
    var digest = sha1();
    try (InputStream in = Files.newInputStream(file)) {
      var chunk = new byte[CHUNK];
      for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
        digest.update(chunk, 0, n);
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static MessageDigest sha1() {
    try {
      return MessageDigest.getInstance("SHA-1");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-1", e);
    }
  }

  /** Some repositories put the file's name behind the sum. */
  private static String firstWord(String text) {
    return text.strip().split("\\s+", 2)[0];
  }
}
