package io.cellmesh.triggers;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.FixedAccess;
import io.cellmesh.deployment.TopologyStore;
import io.cellmesh.topics.trigger.Order;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A process of its own whose trigger writes into a {@link CalledTable} what it is called with. */
final class TriggerProcess implements AutoCloseable {
  private final String label;
  private final Path log;
  private final Process process;

  private TriggerProcess(String label, Path log, Process process) {
    this.label = label;
    this.log = log;
    this.process = process;
  }

  /**
   * Starts one.
   *
   * @param label how the table names it
   */
  static TriggerProcess start(
      Path dir, String label, String bootstrap, Path topology, String table, Order order)
      throws IOException {
    var log = dir.resolve(label + ".log");
    var command = new ArrayList<>(List.of(ProcessHandle.current().info().command().orElseThrow()));
    command.addAll(List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-Dcellmesh.log=INFO", "-cp"));
    command.add(classPath());
    command.add(TriggerProcess.class.getName());
    command.addAll(List.of(label, bootstrap, topology.toString(), table, order.name()));
    var process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    return new TriggerProcess(label, log, process);
  }

  String label() {
    return label;
  }

  Path log() {
    return log;
  }

  void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  /** Ends it as a user does, who lets it hand on what it has. */
  void terminate() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(30, TimeUnit.SECONDS)) {
      throw new AssertionError(label + " does not end; see " + log);
    }
  }

  void pause() throws IOException, InterruptedException {
    signal("STOP");
  }

  void resume() throws IOException, InterruptedException {
    signal("CONT");
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  private void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  /** Surefire's own is one jar whose manifest names the others, which a child can use as well. */
  private static String classPath() {
    return System.getProperty(
        "surefire.test.class.path",
        System.getProperty("java.class.path").replace(";", File.pathSeparator));
  }

  /** A data centre that says how to reach Kafka. */
  static DataCenter datacenter(String bootstrap, Path file) throws IOException {
    Topology topology = TopologyYaml.parse(Files.readString(file));
    return new DataCenter(
        "dc1",
        topology,
        TopologyStore.ofFile(file),
        FixedAccess.plain(
            bootstrap, URI.create("http://127.0.0.1:1"), new Credentials("none", "")));
  }

  /** Arguments: label, brokers, topology, table, order. Runs until it is ended. */
  public static void main(String[] arguments) throws Exception {
    var label = arguments[0];
    var table = new CalledTable(arguments[3]);
    var trigger =
        Trigger.named("billing")
            .on("BASE")
            .of(datacenter(arguments[1], Path.of(arguments[2])))
            .ordered(Order.valueOf(arguments[4]))
            .threads(8)
            .call(cell -> table.add(label, cell))
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(trigger::close));
    new CountDownLatch(1).await();
  }
}
