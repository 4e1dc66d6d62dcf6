package io.cellmesh.bench;

import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.deployment.Pass;
import io.cellmesh.deployment.PassTopic;
import io.cellmesh.deployment.StoredPasses;
import io.cellmesh.devstack.CellmeshHome;
import io.cellmesh.devstack.HugePages;
import io.cellmesh.devstack.JavaApp;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * JVMs with Kafka Streams, all with the same flags and the same number of threads, each beginning
 * at the log's first record.
 */
final class StreamsApps {
  private static final List<String> HEAP = List.of("-Xms256m", "-Xmx256m");

  private final LogServers servers;
  private final Path home;
  private final Path jars;

  StreamsApps(LogServers servers) throws IOException {
    this.servers = servers;
    this.home = Files.createDirectories(servers.stack().stateDir().resolve("bench"));
    this.jars = Files.createDirectories(home.resolve("pass-through-jars"));
    copy(built());
    copy(bench());
  }

  /**
   * Starts index-streams with a pass of its own, whose topics must exist; the process before must
   * have ended.
   */
  JavaApp indexes(String pass, int threads, List<IndexDefinition> definitions)
      throws InterruptedException {
    var kafka = KafkaAccess.plain(servers.broker().bootstrap());
    try (var passes = new PassTopic(kafka, servers.topology().topics())) {
      passes.create();
      for (var former : passes.read(StoredPasses.NONE).passes().keySet()) {
        passes.remove(former);
      }
      passes.put(new Pass(pass, definitions, false));
    }
    return start(
        pass,
        built(),
        "io.cellmesh.index.IndexStreamsMain",
        List.of(
            "--topology",
            servers.stack().topologyFile(Servers.DATACENTER).toString(),
            "--bootstrap",
            servers.broker().bootstrap(),
            "--state-dir",
            state(pass),
            "--threads",
            Integer.toString(threads)));
  }

  /** Starts the peer, whose topics must exist. */
  JavaApp passThrough(String name, int threads, String from, String to) {
    return start(
        name,
        jars,
        PassThroughMain.class.getName(),
        List.of(
            servers.broker().bootstrap(), name, state(name), Integer.toString(threads), from, to));
  }

  private JavaApp start(String name, Path path, String mainClass, List<String> arguments) {
    var flags = new ArrayList<>(HEAP);
    flags.addAll(HugePages.flags());
    return servers
        .stack()
        .startApp(new JavaApp.Spec(name, path, mainClass, arguments, Map.of(), flags));
  }

  private String state(String name) {
    return home.resolve(name + "-state").toString();
  }

  private static Path built() {
    return CellmeshHome.built("index-streams/target/app");
  }

  /** The jar that this class is in. */
  private static Path bench() throws IOException {
    try {
      var location = StreamsApps.class.getProtectionDomain().getCodeSource().getLocation();
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
