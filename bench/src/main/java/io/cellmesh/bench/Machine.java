package io.cellmesh.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * What it was measured on.
 *
 * @param memoryMiB 0 when nobody knows
 */
public record Machine(String cpu, int cores, long memoryMiB, String system) {

  static Machine here() {
    return new Machine(
        line("/proc/cpuinfo", "model name"),
        Runtime.getRuntime().availableProcessors(),
        kibibytes(line("/proc/meminfo", "MemTotal")) / 1024,
        System.getProperty("os.name")
            + " "
            + System.getProperty("os.version")
            + " "
            + System.getProperty("os.arch"));
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%s, %d cores, %,d MiB, %s", cpu, cores, memoryMiB, system);
  }

  private static String line(String file, String name) {
    var path = Path.of(file);
    if (!Files.isReadable(path)) {
      return "unknown";
    }
    try (var lines = Files.lines(path)) {
      return lines
          .filter(line -> line.startsWith(name))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("unknown");
    } catch (IOException e) {
      return "unknown";
    }
  }

  static long kibibytes(String text) {
    var digits = text.replaceAll("\\D", "");
    return digits.isEmpty() ? 0 : Long.parseLong(digits);
  }
}
