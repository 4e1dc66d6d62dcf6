package io.cellmesh.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The token in a file, read anew when it is asked for a second later or more. A file that can't be
 * read for a moment, since it is being replaced, leaves what was read before. Thread-safe.
 */
final class TokenFile implements Supplier<String> {
  private static final long FRESH_NANOS = Duration.ofSeconds(1).toNanos();

  private final Path file;
  private final LongSupplier clock;

  // Guarded by this.
  private String token = "";
  private long readAt;

  /**
   * @param clock in nanoseconds
   */
  TokenFile(Path file, LongSupplier clock) {
    this.file = file;
    this.clock = clock;
  }

  /**
   * @throws IllegalStateException if there is none and never was; it names the file
   */
  @Override
  public synchronized String get() {
    long now = clock.getAsLong();
    if (token.isEmpty() || now - readAt >= FRESH_NANOS) {
      var read = read();
      if (!read.isEmpty()) {
        token = read;
        readAt = now;
      }
    }
    if (token.isEmpty()) {
      throw new IllegalStateException("token file %s: it has no token".formatted(file));
    }
    return token;
  }

  private String read() {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      if (token.isEmpty()) {
        // An exception of the decoder could have a part of what is in the file.
        throw new IllegalStateException(
            "token file %s can't be read: %s".formatted(file, e.getClass().getSimpleName()));
      }
      return "";
    }
  }

  /** Shows no token. */
  @Override
  public String toString() {
    return "TokenFile[%s]".formatted(file);
  }
}
