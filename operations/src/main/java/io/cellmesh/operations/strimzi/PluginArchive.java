package io.cellmesh.operations.strimzi;

import io.cellmesh.operations.OperationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A plug-in of Connect that Strimzi's build downloads into an image of its own.
 *
 * @param type {@code zip}, {@code tgz} or {@code jar}
 */
public record PluginArchive(String name, String type, String url, String sha512) {
  /** Without the version, since the plug-in's directory is called so. */
  private static final Pattern FILE =
      Pattern.compile(
          "(?<name>[a-z0-9][-_a-z0-9]*?[a-z0-9])(-[0-9][^/]*?)?\\.(?<type>zip|tgz|tar\\.gz|jar)");

  /**
   * Those of a directory, as they will lie on a web server.
   *
   * @param url of the directory there
   * @throws OperationException if there is none
   */
  public static List<PluginArchive> in(Path directory, String url) throws IOException {
    List<Path> files;
    try (var listed = Files.list(directory)) {
      files = listed.filter(Files::isRegularFile).sorted().toList();
    }
    var archives = new ArrayList<PluginArchive>();
    for (var file : files) {
      var parts = FILE.matcher(file.getFileName().toString());
      if (parts.matches()) {
        var type = parts.group("type").equals("tar.gz") ? "tgz" : parts.group("type");
        var base = url.endsWith("/") ? url : url + "/";
        archives.add(
            new PluginArchive(parts.group("name"), type, base + file.getFileName(), sum(file)));
      }
    }
    if (archives.isEmpty()) {
      throw OperationException.invalid(
          "%s holds no plug-in: no .zip, .tgz, .tar.gz or .jar".formatted(directory));
    }
    return archives;
  }

  private static String sum(Path file) throws IOException {
    try (var in =
        new DigestInputStream(Files.newInputStream(file), MessageDigest.getInstance("SHA-512"))) {
      in.transferTo(java.io.OutputStream.nullOutputStream());
      return HexFormat.of().formatHex(in.getMessageDigest().digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-512", e);
    }
  }
}
