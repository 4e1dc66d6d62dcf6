package io.cellmesh.examples.billing;

import io.cellmesh.deployment.Deployment;
import io.cellmesh.health.AppLog;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** Runs the trigger until it is ended. */
@Command(
    name = "billing",
    mixinStandardHelpOptions = true,
    description =
        "Charges each trip whose BASE cell is written, at a provider that it makes up, and writes "
            + "what came of it into STATUS. One card in ten is declined at first.",
    footer = {"", AppLog.HELP})
public final class BillingMain implements Callable<Integer> {
  @Option(
      names = "--deployment",
      paramLabel = "FILE",
      description =
          "The cellmesh.yaml that says where everything is (default: the one that "
              + "CELLMESH_DEPLOYMENT names, then ./cellmesh.yaml).")
  private Optional<Path> deployment = Optional.empty();

  @Option(
      names = "--dc",
      paramLabel = "NAME",
      description = "The data centre whose log is read (default: the first one).")
  private Optional<String> name = Optional.empty();

  public static void main(String[] args) {
    System.exit(new CommandLine(new BillingMain()).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    var file =
        Deployment.find(deployment)
            .orElseThrow(
                () -> new IllegalArgumentException("where is everything? Give --deployment FILE"));
    var datacenter = Deployment.read(file).datacenter(name);
    AppLog.of("billing", datacenter.topology().instance(), datacenter.name());
    var provider = new StandInProvider(StandInProvider::declinesOneInTenAtFirst);
    try (var billing = Billing.of(datacenter, provider);
        var trigger = billing.trigger(datacenter).start()) {
      Runtime.getRuntime().addShutdownHook(new Thread(trigger::close, "stop"));
      trigger.awaitEnd();
    }
    return ExitCode.OK;
  }
}
