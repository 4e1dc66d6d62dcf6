package io.cellmesh.triggers.webhook;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * The token that a receiver knows the trigger by. {@link #toString} shows none of it.
 *
 * @param value visible ASCII
 */
record BearerToken(String value) {
  private static final Pattern VISIBLE = Pattern.compile("[\\x21-\\x7e]+");
  private static final int LARGEST = 16 << 10;

  /** As much of a token as tells that a text repeats it. */
  private static final int TELLING = 12;

  /**
   * Reads the token in a file; white space around it is no part of it.
   *
   * @throws IOException if the file can't be read or holds something else, naming the file alone
   */
  static BearerToken read(Path file) throws IOException {
    byte[] bytes;
    try (var in = Files.newInputStream(file)) {
      bytes = in.readNBytes(LARGEST + 1);
    } catch (IOException e) {
      throw new IOException("the token file " + file + " can't be read", e);
    }
    var text = new String(bytes, StandardCharsets.UTF_8).strip();
    if (bytes.length > LARGEST || !VISIBLE.matcher(text).matches()) {
      throw new IOException(
          "the token file %s holds no token: one word of visible ASCII, at most %d bytes"
              .formatted(file, LARGEST));
    }
    return new BearerToken(text);
  }

  String authorization() {
    return "Bearer " + value;
  }

  /** A text up to where it repeats the token, or the beginning of it. */
  String cutFrom(String text) {
    int at = text.indexOf(value.substring(0, Math.min(value.length(), TELLING)));
    return at < 0 ? text : text.substring(0, at) + "(the token)";
  }

  @Override
  public String toString() {
    return "BearerToken";
  }
}
