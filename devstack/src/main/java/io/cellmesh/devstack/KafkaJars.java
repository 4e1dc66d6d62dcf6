package io.cellmesh.devstack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The jars and the settings files of brokers and Connect workers. */
final class KafkaJars {
  private static final String LOGGING = "log4j2-kafka.xml";

  private KafkaJars() {}

  static String classPath() {
    return CellmeshHome.classPath(dir());
  }

  static ClassArchive archive(String kind) {
    return new ClassArchive(kind, dir());
  }

  private static Path dir() {
    return CellmeshHome.kafka();
  }

  /**
   * What brokers and workers have in common on their command lines.
   *
   * @param more flags of the JVM
   */
  static List<String> flags(String kind, Household household, List<String> more) {
    var flags = new ArrayList<>(archive(kind).flags());
    flags.add("-Xms160m");
    flags.add("-Xmx512m");
    // With the default third of what is in use, collections stop a broker under load every second.
    flags.add("-Xmn128m");
    // They come last and so win.
    flags.addAll(more);
    flags.add("-Dlog4j2.configurationFile=" + logging(household));
    return flags;
  }

  /** A Java properties file, which may hold secrets; what is in {@code overrides} wins. */
  static void write(Path file, Map<String, String> settings, Map<String, String> overrides) {
    var all = new TreeMap<>(settings);
    all.putAll(overrides);
    try {
      Files.createDirectories(file.getParent());
      OwnersFile.write(
          file,
          all.entrySet().stream()
              .map(entry -> entry.getKey() + "=" + entry.getValue().replace("\\", "\\\\") + "\n")
              .collect(Collectors.joining()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One at a time: brokers and workers of several data centres start side by side. */
  private static synchronized Path logging(Household household) {
    var file = household.stateDir().resolve(LOGGING);
    try (var in = KafkaJars.class.getResourceAsStream(LOGGING)) {
      Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return file;
  }
}
