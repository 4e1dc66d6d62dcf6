package io.cellmesh.cli.commands;

import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.deployment.DeploymentException;
import io.cellmesh.health.AppLog;
import io.cellmesh.worker.ListenOptions;
import io.cellmesh.worker.Worker;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code worker run}: a worker node. */
@Command(
    name = "run",
    header = "Serve cells and indexes over HTTP, until it is told to end.",
    description = {
      "Serves what docs/worker.md says, for one data centre of each instance. It keeps no state: "
          + "start several behind a balancer. SIGTERM and Ctrl-C let those who wait go on for up to "
          + "ten seconds, and end with 0.",
      "",
      AppLog.HELP
    })
final class WorkerRunCommand implements Callable<Integer> {
  @Mixin private DataCenterTargets targets;

  @Mixin private ListenOptions listen;

  @Option(
      names = "--scrub-rows",
      paramLabel = "N",
      defaultValue = "1000",
      description =
          "Read so many entity rows a second of each instance beside, at most, to prove that the"
              + " tables are as the log (default: ${DEFAULT-VALUE}); 0 for none.")
  private int scrubRows;

  private final CountDownLatch told = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (scrubRows < 0) {
      throw new DeploymentException("--scrub-rows: %d is no number of rows".formatted(scrubRows));
    }
    var datacenters = targets.open();
    var instances =
        datacenters.keySet().stream()
            .map(dc -> dc.topology().instance())
            .collect(Collectors.joining(","));
    AppLog.begin("worker", instances, datacenters.keySet().iterator().next().name());
    try (var worker = Worker.start(listen.at(), listen.protection(), datacenters, scrubRows)) {
      Runtime.getRuntime().addShutdownHook(new Thread(this::stop, "stop"));
      log().info("Serves {} at {}", instances, listen.url(worker.port()));
      told.await();
    } finally {
      closed.countDown();
    }
    return ExitCodes.OK;
  }

  /**
   * Waits until everything is closed. The JVM would end with 143 after its hooks; an end that was
   * asked for is a success.
   */
  private void stop() {
    if (closed.getCount() == 0) {
      return;
    }
    told.countDown();
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(ExitCodes.OK);
  }

  /** Not before it is known how the command logs. */
  private static Logger log() {
    return LoggerFactory.getLogger(WorkerRunCommand.class);
  }
}
