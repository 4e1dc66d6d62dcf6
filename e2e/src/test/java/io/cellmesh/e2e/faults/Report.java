package io.cellmesh.e2e.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** {@code target/faults.txt}: the figures of a run, for whoever wants to read them. */
public final class Report {
  private static final Path FILE = Path.of("target", "faults.txt");

  private Report() {}

  public static synchronized void line(String format, Object... arguments) {
    var text = String.format(Locale.ROOT, format, arguments);
    try {
      Files.writeString(
          FILE,
          LocalTime.now().truncatedTo(ChronoUnit.MILLIS) + " " + text + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** {@code 12.3 s}. */
  public static String text(Duration duration) {
    return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0);
  }
}
