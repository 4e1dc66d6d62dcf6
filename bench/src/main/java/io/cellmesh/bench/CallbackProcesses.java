package io.cellmesh.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cellmesh.connect.client.Waiting;
import io.cellmesh.devstack.CellmeshHome;
import io.cellmesh.devstack.HugePages;
import io.cellmesh.devstack.JavaApp;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs contestants, each round of each in a new JVM, all with the same jars and flags. */
final class CallbackProcesses {
  private static final List<String> HEAP = List.of("-Xms512m", "-Xmx512m");
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final CallbackServers servers;
  private final long cells;
  private final Path home;
  private final Path jars;
  private int started;

  /**
   * @param cells of the log
   */
  CallbackProcesses(CallbackServers servers, long cells) throws IOException {
    this.servers = servers;
    this.cells = cells;
    this.home = Files.createDirectories(servers.stack().stateDir().resolve("bench"));
    this.jars = Files.createDirectories(home.resolve("jars"));
    copy(CellmeshHome.built("bench/peer-trigger/target/app"));
    copy(bench());
  }

  /** The version that is measured. */
  String parallelConsumerVersion() throws IOException {
    try (var found = Files.newDirectoryStream(jars, "parallel-consumer-core-*.jar")) {
      for (var jar : found) {
        return jar.getFileName().toString().replaceAll("^parallel-consumer-core-|\\.jar$", "");
      }
    }
    return "unknown";
  }

  Round round(CallbackContestant contestant) throws IOException {
    return run(contestant, List.of()).round();
  }

  /** A round under the flight recorder, which does not count. */
  Profile profile(CallbackContestant contestant) throws IOException {
    var file = home.resolve("profile.jfr");
    var result = run(contestant, List.of(file.toString()));
    try {
      return Profile.of(contestant.text(), result.round(), result.threads(), file, "io.cellmesh.");
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private CallbackRound run(CallbackContestant contestant, List<String> more) throws IOException {
    int number = ++started;
    var name = "bench-" + number;
    var result = home.resolve(name + ".json");
    var flags = new ArrayList<>(HEAP);
    flags.addAll(HugePages.flags());
    var arguments = new ArrayList<String>();
    arguments.add(contestant.name());
    arguments.add(servers.broker().bootstrap());
    arguments.add(Long.toString(servers.broker().pid()));
    arguments.add(Long.toString(cells));
    // Short, or the system would not tell all of a thread's name.
    arguments.add("b" + number);
    arguments.add(result.toString());
    arguments.addAll(more);
    var app =
        servers
            .stack()
            .startApp(
                new JavaApp.Spec(
                    name, jars, CallbackMain.class.getName(), arguments, Map.of(), flags));
    Waiting.until(PATIENCE, () -> !app.isAlive(), () -> app.failure("does not end"));
    if (!Files.exists(result)) {
      throw app.failure("has failed");
    }
    return new ObjectMapper().readValue(result.toFile(), CallbackRound.class);
  }

  /** The jar that this class is in. */
  private static Path bench() throws IOException {
    try {
      var location = CallbackProcesses.class.getProtectionDomain().getCodeSource().getLocation();
      return Path.of(location.toURI());
    } catch (URISyntaxException e) {
      throw new IOException("the benchmark's own jar is not found", e);
    }
  }

  private void copy(Path from) throws IOException {
    try (var files = Files.walk(from)) {
      for (var jar : files.filter(file -> file.toString().endsWith(".jar")).toList()) {
        Files.copy(jar, jars.resolve(jar.getFileName()));
      }
    }
  }
}
