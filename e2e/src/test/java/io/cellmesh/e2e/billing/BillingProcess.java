package io.cellmesh.e2e.billing;

import io.cellmesh.deployment.Deployment;
import io.cellmesh.examples.billing.Billing;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The example in a process of its own, which asks a {@link PaymentsTable}. */
final class BillingProcess {
  /** The shortest that a broker takes: so soon another one has the partitions of a dead one. */
  private static final Duration SESSION = Duration.ofSeconds(6);

  private final String name;
  private final Path log;
  private final Process process;

  private BillingProcess(String name, Path log, Process process) {
    this.name = name;
    this.log = log;
    this.process = process;
  }

  /**
   * Starts one.
   *
   * @param dir for its log
   * @param payments the table's address
   */
  static BillingProcess start(Path dir, String name, Path deployment, String payments)
      throws IOException {
    Files.createDirectories(dir);
    var log = dir.resolve(name + ".log");
    var command = new ArrayList<>(List.of(ProcessHandle.current().info().command().orElseThrow()));
    command.addAll(List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-Dcellmesh.log=INFO", "-cp"));
    command.add(System.getProperty("surefire.test.class.path", classPath()));
    command.add(BillingProcess.class.getName());
    command.addAll(List.of(name, deployment.toString(), payments));
    var process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    return new BillingProcess(name, log, process);
  }

  String name() {
    return name;
  }

  /** As {@code kill -9} does. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  void terminate() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(40, TimeUnit.SECONDS)) {
      kill();
      throw new AssertionError(name + " does not end; see " + log);
    }
  }

  private static String classPath() {
    return System.getProperty("java.class.path").replace(";", File.pathSeparator);
  }

  /** Arguments: name, deployment, payments. Runs until it is ended. */
  public static void main(String[] arguments) throws Exception {
    var datacenter = Deployment.read(Path.of(arguments[1])).datacenter(Optional.empty());
    var provider = new PaymentsTable(arguments[2], arguments[0]);
    try (var billing = Billing.of(datacenter, provider);
        var trigger = billing.trigger(datacenter).session(SESSION).start()) {
      Runtime.getRuntime().addShutdownHook(new Thread(trigger::close));
      trigger.awaitEnd();
    }
  }
}
